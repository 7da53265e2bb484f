/**
 * Builds the steps that fix DMARC (the record, its policy, and the alignment of SPF and DKIM with From), and
 * names the causes that its findings share.
 */

import { askStep, dnsStep, type Others, type Step } from '../advice/actions.ts';
import { publicFrom, signingDomain } from '../advice/fill.ts';
import { isOthersDomain, isOwnName } from '../advice/ownership.ts';
import { isBorrowed } from '../advice/place.ts';
import { handedOn } from '../advice/whose-server.ts';
import type { DkimFact } from '../dkim/facts.ts';
import { signatureSteps, signingSteps } from '../dkim/fixes.ts';
import { isUndecided, passes } from '../dkim/results.ts';
import type { Facts } from '../facts.ts';
import { ifKnown, isUnseen } from '../lookup-result.ts';
import { lacksOnlyPolicy } from '../names/parked.ts';
import { cleanRecord, policyTag, type Tags, tagOf } from './correct.ts';
import { correctedRecord, isSameRecord, recordDomain } from './corrected-record.ts';
import { isFalseSuffix } from './evaluate.ts';
import type { DmarcFacts } from './facts.ts';
import { firstRecordSteps, listedOrganization, newMailbox } from './first-record.ts';
import { tagsOf } from './parse.ts';
import {
  parkedQuestion,
  policyQuestions,
  repeatedTagQuestions,
  suffixQuestions,
} from './questions.ts';
import { straySteps } from './stray-texts.ts';
import { strictMisses } from './unaligned.ts';

/**
 * Returns the steps that replace the present record with the corrected one, or no steps if it is correct.
 */
function correctionSteps(dmarc: DmarcFacts, facts: Facts): readonly Step[] {
  const domain = recordDomain(dmarc, facts);
  const name = `_dmarc.${domain}`;
  const record = correctedRecord(dmarc, facts);
  const published = dmarc.published ?? [];
  const isRight =
    dmarc.ignoredBecause === null &&
    dmarc.lint.length === 0 &&
    published.length === 1 &&
    isSameRecord(dmarc.tags, tagsOf(record));
  const isThere = isRight || (published.length === 1 && published[0] === record);
  if (!isThere)
    return [
      ...newMailbox(record, tagOf(dmarc.tags, 'rua') ?? '', domain, facts),
      dnsStep(name, 'TXT', record, published),
    ];
  // The other texts belong to the domain or host to which the name leads, so they stay there, and the DMARC
  // record is published at the name itself.
  return hasStrays(dmarc) && isBorrowed(name, facts)
    ? [dnsStep(name, 'TXT', published[0] ?? record, published)]
    : [];
}

const hasStrays = ({ strays = [] }: DmarcFacts): boolean => strays.length > 0;

/** Returns the steps that correct the record, and those for the other texts at its name. */
export function recordSteps(dmarc: DmarcFacts, facts: Facts): readonly Step[] {
  const correction = correctionSteps(dmarc, facts);
  const domain = recordDomain(dmarc, facts);
  return [
    ...(isFalseSuffix(domain, dmarc.report.psd) ? suffixQuestions(domain) : []),
    ...(correction.length > 0 ? repeatedTagQuestions(dmarc) : []),
    ...correction,
    ...(correction.length > 0 ? policyQuestions(dmarc) : []),
    ...straySteps(dmarc, domain, correctedRecord(dmarc, facts), facts),
  ];
}

/** Returns a failed signature that would be aligned if it verified, or `undefined` if there is none. */
export const ownFailure = ({ dkim, dmarc }: Facts): DkimFact | undefined =>
  ifKnown(dkim)?.signatures.find(
    (one) =>
      !passes(one) &&
      !isUndecided(one) &&
      (ifKnown(dmarc)?.report.adkim === 's' ? one.report.strict_aligned : one.ofFromDomain),
  );

/**
 * Returns the steps that lead to a signature aligned with From, by fixing an existing one or adding a new
 * one.
 */
export function alignmentSteps(facts: Facts): readonly Step[] {
  const failure = ownFailure(facts);
  if (failure) return signatureSteps(failure, facts);
  return signingSteps(signingDomain(facts), facts);
}

/**
 * Returns a step that offers relaxed alignment, if strict alignment is all that keeps DMARC from passing.
 * Only the reader knows whether strict alignment is needed.
 */
export function relaxSteps(dmarc: DmarcFacts, facts: Facts): readonly Step[] {
  const tags = strictMisses(facts).map(({ tag }) => tag);
  const domain = recordDomain(dmarc, facts);
  if (tags.length === 0 || !isOwnName(domain, facts)) return [];
  const relaxed = cleanRecord(
    tagsOf(correctedRecord(dmarc, facts)).filter(([name]) => !tags.some((tag) => tag === name)),
  );
  return [
    askStep(
      `Or should mail from any name under ${listedOrganization(dmarc, facts)} count as yours? That is relaxed alignment, the default. If so, replace the TXT record at _dmarc.${domain} with: ${relaxed}`,
    ),
  ];
}

/**
 * Returns the steps to take before raising the policy, because receivers would then refuse email that is not
 * aligned, including this one. An email that someone else forwarded does not show whether the sender's own
 * email is aligned.
 */
function beforeRaising({ spfAligned, dkimAligned }: DmarcFacts, facts: Facts): readonly Step[] {
  if (spfAligned || dkimAligned || isUnseen(facts.dkim)) return [];
  const elsewhere = handedOn(facts, '');
  return elsewhere ? [askStep(elsewhere.ask, elsewhere.owner)] : alignmentSteps(facts);
}

/**
 * Returns the steps towards a stricter policy. The stricter record is published only when faults are fixed
 * and the reports show that none of the sender's mail fails.
 */
export function raiseSteps(dmarc: DmarcFacts, facts: Facts, raised: string): readonly Step[] {
  // If the policy is behind an alias, only the owner of the alias's target can raise it.
  if ((dmarc.elsewhere?.asText ?? dmarc.elsewhere?.alias) !== undefined)
    return firstRecordSteps(dmarc, facts);
  const first = correctionSteps(dmarc, facts);
  const corrected = first.length > 0 ? correctedRecord(dmarc, facts) : (dmarc.published?.[0] ?? '');
  if (raised === corrected) return first;
  const replaced = corrected === '' ? [] : [corrected];
  const domain = recordDomain(dmarc, facts);
  if (lacksOnlyPolicy(facts) && policyTag(tagsOf(raised), 'p') === 'reject')
    return [...first, parkedQuestion(domain), dnsStep(`_dmarc.${domain}`, 'TXT', raised, replaced)];
  const aligned = beforeRaising(dmarc, facts);
  const rua = tagOf(tagsOf(correctedRecord(dmarc, facts)), 'rua')
    ?.replace(/mailto:/g, '')
    .replaceAll(',', ' and ');
  if (rua === undefined) return [...first, ...aligned, askForReports(dmarc, tagsOf(raised))];
  return [
    ...first,
    ...aligned,
    askStep(
      `Read the reports sent to ${rua} for a few weeks. Continue only when they show that none of your mail fails.`,
    ),
    dnsStep(`_dmarc.${domain}`, 'TXT', raised, replaced),
  ];
}

/**
 * Returns the step towards a stricter policy for a record without a report address. Without reports, nobody
 * knows whose mail the stricter policy would refuse, and only the reader knows where they can go.
 */
function askForReports({ applies }: DmarcFacts, raised: Tags): Step {
  const tag = tagOf(raised, applies) === undefined ? 'p' : applies;
  return askStep(
    `Where can the reports go? Add rua=mailto: to the record, followed by the address of a mailbox that somebody reads, and read the reports for a few weeks. When they show that none of your mail fails, set ${tag}=${tagOf(raised, tag)} in the same record.`,
  );
}

/**
 * Returns a fix for someone else if the reader cannot change the record that applies, such as that of a
 * public suffix.
 */
export function dmarcOthers(dmarc: DmarcFacts, facts: Facts): Others | undefined {
  const domain = recordDomain(dmarc, facts);
  const from = publicFrom(facts);
  // For a provider's domain, the fix from the catalogue is complete.
  if (isOwnName(domain, facts) || (from !== null && isOthersDomain(from, facts))) return undefined;
  const own = listedOrganization(dmarc, facts);
  return {
    owner: 'platform',
    why: `The DMARC record that applies is at _dmarc.${domain}, which you cannot change.`,
    ask: `Your own domain ${own} can have its own record at _dmarc.${own}, which then applies. Ask whoever runs ${own} to publish one.`,
  };
}

/** Returns the cause that all faults of the record share. Raising the policy is a separate cause. */
export const dmarcCause = (dmarc: DmarcFacts, facts: Facts): string =>
  `dmarc:${recordDomain(dmarc, facts)}`;

export const policyCause = (dmarc: DmarcFacts, facts: Facts): string =>
  `dmarc_policy:${recordDomain(dmarc, facts)}`;

/**
 * Returns the cause for raising the share of mail under the policy (`pct=`), which is also a separate step.
 */
export const pctCause = (dmarc: DmarcFacts, facts: Facts): string =>
  `dmarc_pct:${recordDomain(dmarc, facts)}`;

/**
 * Returns the cause of the record's faults, if there are any, because they must be fixed before the policy is
 * raised.
 */
export const waitsForRecord = (dmarc: DmarcFacts, facts: Facts): string | undefined =>
  recordSteps(dmarc, facts).length > 0 ? dmarcCause(dmarc, facts) : undefined;

/**
 * Returns the id of the From check if From has no public domain, because there is then no name at which to
 * publish a record.
 */
export const waitsForFrom = (_: DmarcFacts, facts: Facts): string | undefined =>
  publicFrom(facts) === null ? 'from_header' : undefined;
