import { sameOrganization } from '../names/domain-names.ts';
import { isFreemail } from '../names/freemail.ts';
import { headerText } from '../syntax/charset.ts';
import { firstNamed, type HeaderBlock } from '../syntax/header-block.ts';
import { parseAddressList } from './address-list.ts';
import type { FieldFacts } from './facts.ts';

/** Reads Reply-To against From. Several addresses are allowed (RFC 5322 §3.6.2). */
export const readReplyTo = (
  block: HeaderBlock,
  fromDomain: string | null,
): FieldFacts['replyTo'] => {
  const value = firstNamed(block, 'reply-to');
  if (value === null)
    return { state: 'absent', domain: null, freemail: false, sameOrganization: true };

  const { mailboxes, unparsable } = parseAddressList(headerText(value));
  const domains = mailboxes.flatMap(({ domain }) => domain ?? []);
  const ok = unparsable === 0 && domains.length > 0 && domains.length === mailboxes.length;
  return {
    state: ok ? 'ok' : 'unparsable',
    domain: domains[0] ?? null,
    freemail: domains.some(isFreemail),
    sameOrganization:
      fromDomain !== null && domains.every((domain) => sameOrganization(domain, fromDomain)),
  };
};
