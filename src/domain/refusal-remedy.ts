/** Says what the sender of a refused email can do. */

import type { RefusalReason } from './events.ts';

/** What a refused sender can do about it. */
export interface RefusalRemedy {
  /** Part of a sentence: the SMTP reply and the page write the same. */
  readonly text: string;
  /** A record to publish, where none is there; null: there is none to print. */
  readonly record: { readonly name: string; readonly type: 'TXT'; readonly value: string } | null;
}

/** Returns the words for a refusal's way out, and the record for it. */
export function remedyOf({ code, evidence }: RefusalReason): RefusalRemedy {
  const { ip, spf_result, spf_domain, dkim } = evidence;
  switch (code) {
    case 'blocklisted':
      return {
        text: `Request removal at ${removalUrlOf(evidence)}, or send from another IP address`,
        record: null,
      };
    case 'dmarc_policy':
      return { text: 'Align one of them', record: null };
    case 'spf_and_dkim_failed': {
      const sign = dkim?.length ? 'correct the DKIM signature' : 'sign with DKIM';
      const isPublished = spf_result !== 'none' || !ip || !spf_domain;
      return {
        text: `${spfRemedy(spf_result, ip)}, or ${sign}`,
        record: isPublished
          ? null
          : { name: spf_domain, type: 'TXT', value: `v=spf1 ${termFor(ip)} ~all` },
      };
    }
  }
}

/** Where a blocklist is asked for removal. The SMTP reply cuts it if it is long. */
export const removalUrlOf = ({ removal_url }: RefusalReason['evidence']): string =>
  removal_url ?? "the list's site";

const termFor = (ip: string): string => `${ip.includes(':') ? 'ip6' : 'ip4'}:${ip}`;

/**
 * A record with a fault may already list the address. For any other record, only the sender knows whose
 * address it is.
 */
function spfRemedy(result: string | undefined, ip: string | undefined): string {
  if (result === 'permerror') return 'Correct the SPF record';
  const whose = `If ${ip ?? 'the sending address'} is yours`;
  if (result === 'none') return `${whose}, publish an SPF record that lists it`;
  return ip
    ? `${whose}, add ${termFor(ip)} to the SPF record`
    : `${whose}, list it in the SPF record`;
}
