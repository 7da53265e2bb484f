import { sameOrganization } from '../names/domain-names.ts';
import { isFreemail } from '../names/freemail.ts';
import { headerText } from '../syntax/charset.ts';
import { firstNamed, type HeaderBlock } from '../syntax/header-block.ts';
import { parseAddressList } from './address-list.ts';
import type { FieldFacts } from './facts.ts';

export interface ReplyToReading {
  readonly facts: FieldFacts['replyTo'];
  readonly domain: string | null;
}

/** Reads Reply-To against From. Several addresses are allowed (RFC 5322 §3.6.2). */
export const readReplyTo = (block: HeaderBlock, fromDomain: string | null): ReplyToReading => {
  const value = firstNamed(block, 'reply-to');
  if (value === null)
    return { domain: null, facts: { state: 'absent', freemail: false, sameOrganization: true } };

  const { mailboxes, unparsable } = parseAddressList(headerText(value));
  const domains = mailboxes.flatMap(({ domain }) => domain ?? []);
  const ok = unparsable === 0 && domains.length > 0 && domains.length === mailboxes.length;
  return {
    domain: domains[0] ?? null,
    facts: {
      state: ok ? 'ok' : 'unparsable',
      freemail: domains.some(isFreemail),
      sameOrganization:
        fromDomain !== null && domains.every((domain) => sameOrganization(domain, fromDomain)),
    },
  };
};
