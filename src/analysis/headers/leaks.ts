import { INTERNAL_NAME } from '../names/host-name.ts';
import { fieldsNamed, type HeaderBlock } from '../syntax/header-block.ts';
import { splitWords } from '../syntax/split-words.ts';

const TELLING = splitWords(
  'X-PHP-Originating-Script X-PHP-Script X-Originating-IP X-Sender-IP X-Client-IP X-Source-IP ' +
    'X-Source X-Source-Args X-Source-Dir X-Get-Message-Sender-Via X-Authenticated-Sender ' +
    'X-Authenticated-User',
);

// RFC 1918 and RFC 4193, set off from longer numbers.
const PRIVATE_IP =
  /(?:^|[^0-9.])(?:10\.\d{1,3}|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.\d{1,3}\.\d{1,3}(?:[^0-9.]|$)|IPv6:f[cd][0-9a-f]{2}:/i;

const tellsOfInside = ({ value }: { readonly value: string }) =>
  PRIVATE_IP.test(value) || INTERNAL_NAME.test(value);

/** Names of header fields that show the sender's insides, each once. */
export const readLeaks = (block: HeaderBlock): readonly string[] => {
  const leaks: string[] = TELLING.filter(
    (name) => fieldsNamed(block, name.toLowerCase()).length > 0,
  );
  return fieldsNamed(block, 'received').some(tellsOfInside) ? [...leaks, 'Received'] : leaks;
};
