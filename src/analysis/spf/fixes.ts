import { askStep, dnsStep, type Others, type Step } from '../advice/actions.ts';
import { handedOn, isOwnName } from '../advice/ownership.ts';
import { platformOfName } from '../advice/platforms.ts';
import type { SpfFacts } from '../authentication-facts.ts';
import type { Facts } from '../facts.ts';
import { ifKnown, keepIf } from '../lookup-result.ts';
import { isFreemail } from '../names/freemail.ts';
import { publicIp } from '../names/sending-ip.ts';
import { addTerm, closeRecord, correctRecord } from './correct.ts';
import { planSpf, spfRecordsOf } from './plan.ts';

/** Longest record that a fix prints, in characters: as long as a report holds. */
const MAX_PRINTED = 4096;

/** The corrected record, and what to find out before this sender is let in. */
export function spfSteps(spf: SpfFacts, facts: Facts): readonly Step[] {
  const steps = recordSteps(spf, facts);
  return steps.length === 0 ? [] : [...steps, ...askAboutSender(spf, facts)];
}

/** What the record has to be, in place of all that is there; nothing where it stays. */
function recordSteps(spf: SpfFacts, facts: Facts): readonly Step[] {
  const { domain } = spf.report;
  const { record, parts } = planSpf(spf, facts);
  const published = spfRecordsOf(spf);
  const old = published.length === 0 && spf.lookalike !== undefined ? [spf.lookalike] : published;
  if (old.length === 1 && old[0] === record) return [];
  // Half a record is no record.
  if (record.length > MAX_PRINTED) return [];
  return [
    ...parts.map((part) => dnsStep(part.name, 'TXT', part.record)),
    dnsStep(domain, 'TXT', record, old),
  ];
}

/** The record of the envelope domain is one thing to put right, whatever is wrong with it. */
export const spfCause = ({ report }: SpfFacts): string => `spf:${report.domain}`;

/** What the new record changes for others, as sentences behind the reason. */
export const spfChanges = (spf: SpfFacts, facts: Facts): string => planSpf(spf, facts).changes;

/** What to find out before the sender is let in; nothing where it is in. */
export function askAboutSender(spf: SpfFacts, facts: Facts): readonly Step[] {
  const { doubt } = planSpf(spf, facts);
  return doubt === null ? [] : [askStep(doubt)];
}

/** A domain that is not the reader's: only who holds it can change its record. */
export function spfOthers(
  { report: { domain, scope } }: SpfFacts,
  facts: Facts,
): Others | undefined {
  if (isOwnName(domain, facts)) return undefined;
  const elsewhere = handedOn(facts, `sent it as ${domain}`);
  if (elsewhere) return elsewhere;
  const from = facts.names.fromDomain;
  if (isFreemail(domain))
    return {
      owner: 'platform',
      why: `${domain} is a freemail provider's domain, and its SPF record is the provider's to change.`,
      ask:
        from === null || isFreemail(from)
          ? 'Send from an address at a domain you own.'
          : `Use a return path (MAIL FROM) at a name under ${from}.`,
    };
  const platform = platformOfName(domain);
  const holder = platform
    ? `belongs to ${platform.name}`
    : 'is outside the domain of your From address';
  const what = scope === 'helo' ? 'Your server greets as' : 'Bounces of this mail go to';
  const way = platform?.returnPath ?? 'Ask the service that sends for you how to set it.';
  return {
    owner: 'platform',
    why: `${what} ${domain}, which ${holder}, so its SPF record is not yours to change.`,
    ask: `Use a return path (MAIL FROM) at a name under ${from ?? 'your own domain'}. ${way}`,
  };
}

/** The HELO name's own record with the sender let in, or a new one. */
export function heloSteps(
  spf: SpfFacts,
  { names: { ip, helo }, connection }: Facts,
): readonly Step[] {
  const own = ifKnown(spf.helo)?.record;
  const name = helo?.replace(/\.$/, '').toLowerCase() ?? '';
  const address = publicIp(ip);
  const term = address === null ? null : `${address.includes(':') ? 'ip6' : 'ip4'}:${address}`;
  const resolves = ip !== null && ifKnown(connection.heloAddresses)?.includes(ip);
  if (own && term) {
    const record = addTerm(closeRecord(correctRecord(own), 'unknown'), term);
    return [dnsStep(name, 'TXT', record, [own])];
  }
  return resolves || term ? [dnsStep(name, 'TXT', `v=spf1 ${resolves ? 'a' : term} -all`)] : [];
}

/** Left out when there are several: then no one record counts, and no term of any is read. */
export const oneRecord = ({ spf }: Facts) =>
  keepIf(spf, (value) => spfRecordsOf(value).length <= 1);

/** RFC 7208 §5.2, §6.1: what includes or redirects to no record makes the whole a permerror. */
export const brokenOf = ({ report, brokenTerms }: SpfFacts): SpfFacts['brokenTerms'] =>
  report.result === 'permerror' ? brokenTerms : [];
