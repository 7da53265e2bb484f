/**
 * Builds the steps that fix the SPF record of the envelope domain or of the HELO name, with questions that
 * its owner must answer first, and the fix for another party if the domain is not the reader's.
 */

import { askStep, dnsStep, type Others, type Step } from '../advice/actions.ts';
import { addressStep } from '../advice/address.ts';
import { dnsNameOf, isOthersDomain, isOwnName } from '../advice/ownership.ts';
import { placeSteps } from '../advice/place.ts';
import { platformOfName } from '../advice/platforms.ts';
import { renderStep } from '../advice/render.ts';
import { askWhose, handedOn, ifOwnServer } from '../advice/whose-server.ts';
import type { Facts } from '../facts.ts';
import { formatList } from '../format.ts';
import { ifKnown, keepIf } from '../lookup-result.ts';
import { isFreemail } from '../names/domain-names.ts';
import { heloName, publicIp } from '../names/host-name.ts';
import { lacksFamily, proxyBefore } from '../names/mail-host.ts';
import { addTerm, correctRecord, unreadableTerms } from './correct.ts';
import type { SpfFacts } from './facts.ts';
import { isAll, MAX_LOOKUPS, parseSpf, parseTerm, specOf } from './parse.ts';
import { planSpf } from './plan.ts';
import { publishedOf, spfRecordsOf } from './published.ts';
import { NOTHING_ASKED, questionsOf } from './questions.ts';

/** Maximum length of a record that a fix prints, in characters, because a report allows no more. */
const MAX_PRINTED = 4096;

/**
 * Returns the steps that publish the corrected record, and the questions to answer before this sender is
 * authorized.
 */
export function spfSteps(spf: SpfFacts, facts: Facts): readonly Step[] {
  const steps = recordSteps(spf, facts);
  // Without an email, there is no sender to authorize.
  const isSeen = facts.names.ip !== null;
  return steps.length === 0 || !isSeen ? steps : [...steps, ...askAboutSender(spf, facts, true)];
}

/**
 * Returns the steps that replace all published texts with the correct record, or none if the record stays as
 * it is. Any step that may exclude the reader's own servers comes after the questions about them.
 */
function recordSteps(spf: SpfFacts, facts: Facts): readonly Step[] {
  const { parts, costs } = planSpf(spf, facts);
  const steps = [...domainSteps(spf, facts), ...repairSteps(spf, facts)];
  // With so many lookups, receivers could not evaluate the new record any better than the present one.
  return steps.length > 0 && costs !== null && costs.lookups + parts.length > MAX_LOOKUPS
    ? whatToRemove(spf, facts, steps)
    : steps;
}

/** Returns the steps that replace the texts at the domain itself. */
function domainSteps(spf: SpfFacts, facts: Facts): readonly Step[] {
  const { today, questions, record, parts } = planSpf(spf, facts);
  const { domain } = spf.report;
  const old = publishedOf(spf);
  const isThere = (text: string) => old.length === 1 && old[0] === text;
  // A record that is cut off is useless, so a longer one is not printed at all.
  if (isThere(record) || record.length > MAX_PRINTED) return [];
  const inTwoSteps = today !== null && today !== record && !isThere(today);
  const first = inTwoSteps ? [dnsStep(domain, 'TXT', today, old)] : [];
  return [
    ...first,
    ...questions.map((question) => askStep(question)),
    ...parts.map((part) => dnsStep(part.name, 'TXT', part.record)),
    dnsStep(domain, 'TXT', record, inTwoSteps ? [today] : old),
  ];
}

/** Returns the steps that correct the other own records to which the domain's leads. */
const repairSteps = (spf: SpfFacts, facts: Facts): readonly Step[] =>
  planSpf(spf, facts)
    .repairs.filter(({ record }) => record.length <= MAX_PRINTED)
    .flatMap(({ name, record, published, questions }) => [
      ...questions.map((question) => askStep(question)),
      dnsStep(name, 'TXT', record, published),
    ]);

/**
 * Returns a step that lists the lookups of each term, because only the reader knows which services are still
 * in use.
 */
export function whatToRemove(
  spf: SpfFacts,
  facts: Facts,
  steps: readonly Step[] = [],
): readonly Step[] {
  const { costs } = planSpf(spf, facts);
  if (costs === null || costs.terms.length === 0) return [];
  const each = formatList(costs.terms.map(({ term, lookups }) => `${term} ${lookups}`));
  const without = placeSteps(steps, facts).map(renderStep).join(' ');
  return [
    askStep(
      `Which services in your SPF record do you still use? Remove the others from it. Lookups per term: ${each}.${without && ` Leave them out of the record in this step: ${without}`}`,
    ),
  ];
}

/**
 * Returns the cause that all findings about the envelope domain's record share, because the record needs only
 * one fix.
 */
export const spfCause = ({ report }: SpfFacts): string => `spf:${report.domain}`;

/**
 * Returns a host of the reader's that the record authorizes by name, if the only fault is that this name has
 * no record for the sending address. Returns `undefined` if no such host is known.
 */
export function hostToPublish(spf: SpfFacts, facts: Facts): string | undefined {
  const { result, record, matched_term, domain } = spf.report;
  const isAtEnd = matched_term ? isAll(parseTerm(matched_term)) : result === 'neutral';
  if (!record || !isAtEnd || planSpf(spf, facts).doubt !== null) return undefined;
  const { fromDomain, envelopeDomain, fromMx, envelopeMx } = facts.names;
  const hostsOf = (name: string): readonly string[] => {
    const lookup = name === envelopeDomain ? envelopeMx : name === fromDomain ? fromMx : null;
    return (lookup && ifKnown(lookup)?.mx) ?? [];
  };
  return parseSpf(record)
    .filter(({ kind, qualifier }) => kind === 'mechanism' && qualifier === '+')
    .flatMap((term) => {
      const target = specOf(term).toLowerCase() || domain;
      if (term.name === 'a') return [target];
      return term.name === 'mx' ? hostsOf(target) : [];
    })
    .find((name) => lacksFamily(name.toLowerCase(), facts));
}

/** Returns sentences about how the new record affects other senders. In a fix, they follow the reason. */
export const spfChanges = (spf: SpfFacts, facts: Facts): string => planSpf(spf, facts).changes;

/**
 * Returns what the reader must find out before the sender is authorized, or nothing if there is no doubt.
 * @param isReplaced true if earlier steps have already replaced the record
 */
export function askAboutSender(spf: SpfFacts, facts: Facts, isReplaced = false): readonly Step[] {
  const { doubt, admitting } = planSpf(spf, facts);
  if (doubt === null) return [];
  if (admitting === null || admitting.length > MAX_PRINTED) return [askStep(doubt)];
  const steps = [dnsStep(spf.report.domain, 'TXT', admitting, publishedOf(spf))];
  return [askWhose(facts, doubt, isReplaced ? steps : placeSteps(steps, facts))];
}

/**
 * Returns the fix for another party if the domain is not the reader's, because only the domain's owner can
 * change its record.
 */
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
      why: `${domain} is a free email provider's domain, and only the provider can change its SPF record.`,
      ask:
        from === null || isFreemail(from)
          ? 'Send from an address at a domain you own.'
          : `Use a return path (MAIL FROM) at a name under ${from}.`,
    };
  if (from !== null && isOthersDomain(from, facts))
    return {
      owner: 'platform',
      why: `You do not own ${from}, and only its provider can change its records.`,
      ask: 'Send from an address at a domain you own.',
    };
  const platform = platformOfName(domain);
  const holder = platform
    ? `belongs to ${platform.name}`
    : 'is outside the domain of your From address';
  const what = scope === 'helo' ? 'Your server greets as' : 'Bounces of this email go to';
  const way = platform?.returnPath ?? 'Ask the service that sends your mail how to set it.';
  return {
    owner: 'platform',
    why: `${what} ${domain}, which ${holder}, so you cannot change its SPF record.`,
    ask: `Use a return path (MAIL FROM) at a name under ${from ?? 'your own domain'}. ${way}`,
  };
}

/**
 * Returns the steps that authorize the sender in the HELO name's own record, or that publish a new record
 * there.
 */
export function heloSteps(spf: SpfFacts, facts: Facts): readonly Step[] {
  const {
    names: { ip, helo },
    connection,
  } = facts;
  const own = ifKnown(spf.helo)?.record;
  const name = heloName(helo);
  const address = publicIp(ip);
  const term = address === null ? null : `${address.includes(':') ? 'ip6' : 'ip4'}:${address}`;
  const resolves = ip !== null && ifKnown(connection.heloAddresses)?.includes(ip);
  if (own && term) {
    const questions = questionsOf({ ...NOTHING_ASKED, unreadable: unreadableTerms(own) }, name);
    return ifOwnServer(facts, [
      ...questions.map((question) => askStep(question)),
      // The end of the record stays as it is, because it affects other servers, which have nothing to do with
      // this fix.
      dnsStep(name, 'TXT', addTerm(correctRecord(own), term), [own]),
    ]);
  }
  if (!resolves && !term) return [];
  // A wildcard leads the name to another host.
  if (!resolves && dnsNameOf(name, facts).wildcard !== undefined)
    return ifOwnServer(facts, [...addressStep(name, facts), dnsStep(name, 'TXT', 'v=spf1 a -all')]);
  // The addresses to which the name already resolves belong to the same host, and stay authorized, unless they
  // are those of a web proxy.
  const isNamed =
    proxyBefore(name, facts) === undefined && ifKnown(connection.heloAddresses)?.length;
  const terms = [...(resolves || isNamed ? ['a'] : []), ...(resolves || !term ? [] : [term])];
  return ifOwnServer(facts, [dnsStep(name, 'TXT', `v=spf1 ${terms.join(' ')} -all`)]);
}

/**
 * Returns the SPF facts if there is at most one record. If there are several, none counts, and none of their
 * terms are read.
 */
export const oneRecord = ({ spf }: Facts) =>
  keepIf(spf, (value) => spfRecordsOf(value).length <= 1);

/**
 * Returns the broken terms if they cause a permerror. A term that includes a missing record, or redirects to
 * one, does so (RFC 7208 §5.2, §6.1).
 */
export const brokenOf = ({ report, brokenTerms }: SpfFacts): SpfFacts['brokenTerms'] =>
  report.result === 'permerror' ? brokenTerms : [];
