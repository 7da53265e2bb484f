/**
 * Turns the reason for refusing an email (a blocklist, failed SPF and DKIM, or the DMARC policy) into the
 * verdict for its sender, with the details that the reply names.
 */

import type { RefusalReason } from '../../domain/events.ts';
import { remedyOf, removalUrlOf } from '../../domain/refusal-remedy.ts';
import { type MailVerdict, verdict } from '../../domain/replies.ts';

/** Maximum number of signatures that are named in a reply. */
const MAX_SIGNATURES = 3;

type Evidence = RefusalReason['evidence'];

/**
 * Returns the verdict for a refusal.
 *
 * @param reason the first reason in the gate's order
 * @param untilMs when the test closes, in milliseconds since 1970
 */
export function toRefusal(reason: RefusalReason, untilMs: number): MailVerdict {
  const { code, evidence } = reason;
  const { text: remedy } = remedyOf(reason);
  const until = `${new Date(untilMs).toISOString().slice(11, 16)} UTC`;
  const ip = evidence.ip ?? 'an unknown address';

  switch (code) {
    case 'blocklisted':
      return verdict('blocklisted', {
        ip,
        list: evidence.list ?? 'a blocklist',
        removal_url: removalUrlOf(evidence),
        until,
      });
    case 'spf_and_dkim_failed':
      return verdict('unauthenticated', {
        spf: `${evidence.spf_result ?? 'unknown'}${evidence.spf_fault ? ` (${evidence.spf_fault})` : ''}`,
        envelope_domain: evidence.spf_domain || 'the sender',
        ip,
        dkim: describeDkim(evidence),
        remedy,
        until,
      });
    case 'dmarc_policy':
      return verdict('dmarc', {
        from_domain: evidence.from_domain ?? 'the From domain',
        record_domain: evidence.record_domain ?? evidence.from_domain ?? 'the From domain',
        policy: evidence.tag ?? `p=${evidence.policy ?? 'unknown'}`,
        strict: evidence.strict ? ' (adkim= or aspf= requires an exact match)' : '',
        spf_domain: evidence.spf_domain || 'none',
        dkim_domains: dkimDomains(evidence),
        remedy,
        until,
      });
  }
}

function describeDkim({ dkim = [] }: Evidence): string {
  if (dkim.length === 0) return 'missing';
  return dkim
    .slice(0, MAX_SIGNATURES)
    .map(({ domain, result, reason }) => `${result} for ${domain}${reason ? ` (${reason})` : ''}`)
    .join(', ');
}

const dkimDomains = ({ dkim = [] }: Evidence) =>
  [...new Set(dkim.map(({ domain }) => domain))].slice(0, MAX_SIGNATURES).join(', ') || 'none';
