import { isIpv4Text, sameOrganization, toDomain } from '../names/domain-names.ts';
import { headerText } from '../syntax/charset.ts';
import { withoutComments } from '../syntax/comments.ts';
import { fieldsNamed, type HeaderBlock } from '../syntax/header-block.ts';
import type { FieldFacts } from './facts.ts';

const MAX_ID_LENGTH = 1000;

// RFC 5322 §3.6.4 and §3.2.3: dot-atom-text on both sides, or an address literal on the right.
// UTF-8 in it is RFC 6532's; whether the transaction allowed that, `eight_bit_headers` judges.
const LEFT = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.\u0080-\uffff-]+$/;
const RIGHT = /^(?:[A-Za-z0-9!#$%&'*+/=?^_`{|}~.\u0080-\uffff-]+|\[[!-Z^-~]*\])$/;

const dotAtom = (text: string) =>
  !text.startsWith('.') && !text.endsWith('.') && !text.includes('..');

const syntaxOk = (left: string, right: string) =>
  LEFT.test(left) && dotAtom(left) && RIGHT.test(right) && dotAtom(right);

/** No other host can know what such a name means. */
const isOdd = (right: string, domain: string | null) =>
  right.startsWith('[') ||
  domain === null ||
  isIpv4Text(domain) ||
  !domain.includes('.') ||
  domain.endsWith('.local') ||
  domain.endsWith('.localhost') ||
  domain.endsWith('.localdomain');

/** Reads Message-ID. `related` is judged against `domains`: From, HELO, and later DKIM `d=`. */
export const readMessageId = (
  block: HeaderBlock,
  domains: readonly (string | null)[],
): FieldFacts['messageId'] => {
  const fields = fieldsNamed(block, 'message-id');
  const count = fields.length;
  const raw = headerText(fields[0]?.value ?? '');
  const value = raw.length > MAX_ID_LENGTH ? '' : withoutComments(raw).trim();
  const inner = value.startsWith('<') && value.endsWith('>') ? value.slice(1, -1) : null;
  const at = inner?.lastIndexOf('@') ?? -1;
  if (inner === null || at === -1)
    return { count, syntaxOk: false, domain: null, domainOdd: count > 0, related: false };

  const right = inner.slice(at + 1);
  const domain = right.startsWith('[') ? null : toDomain(right);
  return {
    count,
    syntaxOk: syntaxOk(inner.slice(0, at), right),
    domain,
    domainOdd: isOdd(right, domain),
    related: isRelated(domain, domains),
  };
};

/** The domain belongs to the organization of one of `domains`. */
export const isRelated = (domain: string | null, domains: readonly (string | null)[]): boolean =>
  domain !== null && domains.some((other) => other !== null && sameOrganization(domain, other));
