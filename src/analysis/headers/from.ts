import { MAX_FROM_ADDRESSES, MAX_FROM_BYTES } from '../limits.ts';
import { headerText } from '../syntax/charset.ts';
import { fieldsNamed, type HeaderBlock } from '../syntax/header-block.ts';
import { parseAddressList } from './address-list.ts';

/** Whom the mail says it is from, as far as others may know it. */
export interface HeaderFrom {
  /** The one domain of all authors; null: none can be read, or they are of several domains. */
  readonly domain: string | null;
  /** Distinct domains of all authors, 100 at most. */
  readonly domains: readonly string[];
  readonly addresses: number;
  /**
   * Why there is no usable From: `missing`, `several_fields`, `too_large`, `too_many_addresses`,
   * `unparsable`, `no_address`, `several_authors` (without a Sender). null: it is usable.
   */
  readonly fault: string | null;
}

/** The same with what must stay inside: the first author's mailbox, and comments. */
export interface FromReading {
  readonly header: HeaderFrom;
  readonly local: string;
  /** As written, with its encoded-words. */
  readonly displayName: string;
  readonly comments: readonly string[];
  /** Ways of writing that many readers do not know: `dot_at_end`, `route`, `group`, `unquoted`. */
  readonly oddities: readonly string[];
}

const unusable = (fault: string, addresses = 0): FromReading => ({
  header: { domain: null, domains: [], addresses, fault },
  local: '',
  displayName: '',
  comments: [],
  oddities: [],
});

/** RFC 5322 §3.6.2: several authors need a Sender, so that one is answerable. */
const authorsFault = (authors: number, block: HeaderBlock) =>
  authors > 1 && fieldsNamed(block, 'sender').length === 0 ? 'several_authors' : null;

const domainsOf = (mailboxes: readonly { readonly domain: string | null }[]): string[] => [
  ...new Set(mailboxes.flatMap(({ domain }) => domain ?? [])),
];

/** Reads the From field, or says why it cannot be used (RFC 9989 takes no mail without one). */
export const readFrom = (block: HeaderBlock): FromReading => {
  const fields = fieldsNamed(block, 'from');
  const value = fields[0]?.value;
  if (value === undefined) return unusable('missing');
  if (fields.length > 1) return unusable('several_fields');
  if (value.length > MAX_FROM_BYTES) return unusable('too_large');

  const { mailboxes, unparsable, namePieces, groups, comments } = parseAddressList(
    headerText(value),
  );
  const addresses = mailboxes.length;
  if (addresses > MAX_FROM_ADDRESSES) return unusable('too_many_addresses', addresses);
  if (unparsable > namePieces.length) return unusable('unparsable', addresses);
  const first = mailboxes[0];
  if (!first) return unusable('no_address');
  if (mailboxes.some(({ domain }) => domain === null)) return unusable('unparsable', addresses);

  const domains = domainsOf(mailboxes);
  return {
    header: {
      domain: domains.length === 1 ? (domains[0] ?? null) : null,
      domains,
      addresses,
      fault: authorsFault(addresses, block),
    },
    local: first.local,
    displayName: [...namePieces, first.displayName].join(', '),
    comments,
    oddities: [
      ...(namePieces.length > 0 ? ['unquoted'] : []),
      ...new Set(mailboxes.flatMap(({ oddities }) => oddities)),
      ...(groups > 0 ? ['group'] : []),
    ],
  };
};
