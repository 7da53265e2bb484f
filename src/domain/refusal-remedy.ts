/**
 * Says what the sender of a refused email can do about each reason for the refusal, including a DNS record to
 * publish, and puts the reason and the remedy in words.
 */

import type { RefusalReason } from './events.ts';

/** The action that the sender of a refused email can take. */
export interface RefusalRemedy {
  /** Part of a sentence, which the SMTP reply and the page share. */
  readonly text: string;
  /** The DNS record to publish if there is none yet; null if no record can be suggested. */
  readonly record: { readonly name: string; readonly type: 'TXT'; readonly value: string } | null;
}

/** Returns what the sender can do about a reason for a refusal, and the DNS record to publish for it. */
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
        text: `${spfRemedy(evidence)}, or ${sign}`,
        record: isPublished
          ? null
          : { name: spf_domain, type: 'TXT', value: `v=spf1 ${termFor(ip)} ~all` },
      };
    }
  }
}

/** A reason why a test has no report, as the test's status states it. Only a refusal has a remedy. */
export interface GivenReason {
  readonly code: string;
  readonly detail: string;
  readonly remedy?: string;
  /** The DNS record to publish if there is none yet. */
  readonly record?: { readonly name: string; readonly type: string; readonly value: string };
}

/**
 * Says what was wrong and what to do, for a terminal and for agents. A record to publish follows on an
 * indented line of its own, so that it can be copied.
 */
export const reasonInWords = ({ code, detail, remedy, record }: GivenReason): string =>
  [
    [`${code}: ${detail}`, remedy && `${remedy}.`].filter(Boolean).join(' '),
    ...(record
      ? [
          `Publish this ${record.type} record at ${record.name}. Before "~all", add everything else that sends for it:`,
          `    ${record.value}`,
        ]
      : []),
  ].join('\n');

/**
 * Returns the URL of the page at which removal from a blocklist can be requested. The SMTP reply cuts a long
 * URL.
 */
export const removalUrlOf = ({ removal_url }: RefusalReason['evidence']): string =>
  removal_url ?? "the list's site";

const termFor = (ip: string): string => `${ip.includes(':') ? 'ip6' : 'ip4'}:${ip}`;

/**
 * Says what to do about an SPF result. A record with a fault may already list the address. In all other
 * cases, only the sender knows whose address it is. No record can be published for a sender without a domain.
 */
function spfRemedy({ spf_result, spf_domain, ip }: RefusalReason['evidence']): string {
  if (spf_result === 'permerror') return 'Correct the SPF record';
  const address = ip ?? 'the sending address';
  if (!spf_domain) return `Use a sender at a domain of yours whose SPF record lists ${address}`;
  const whose = `If ${address} is yours`;
  if (spf_result === 'none') return `${whose}, publish an SPF record that lists it`;
  return ip
    ? `${whose}, add ${termFor(ip)} to the SPF record`
    : `${whose}, list it in the SPF record`;
}
