/** Judges the fixes of a setup, by following them and analysing the email again. */

import { findCheck } from '../../../src/analysis/checks.ts';
import type { Facts } from '../../../src/analysis/facts.ts';
import { makeReport } from '../../../src/analysis/report.ts';
import type { Action } from '../../../src/domain/report/action.ts';
import type { Finding, Report } from '../../../src/domain/report/report.ts';
import { applyActions, textOf } from '../../analysis/whole/apply-actions.ts';
import { applyFix } from '../../analysis/whole/apply-fix.ts';
import type { Analysis, Analyzer } from '../../analysis/whole/environment.ts';
import { STEPS } from '../../analysis/whole/fixes-as-text.ts';
import { recordsAt, type Situation } from '../../analysis/whole/publish.ts';
import { zoneWith } from '../../analysis/whole/zone.ts';
import { ARRIVAL } from '../../support/mail/inspection-environment.ts';
import { doFix, isCareAlone, isOfStranger } from './answers.ts';
import { harmToOthers } from './others.ts';
import type { Setup } from './setup.ts';

/**
 * How a setup ends that follows its fixes. `reports` means once the owner has read the reports, before a
 * DMARC policy rises; `asked` means once other questions are answered; `declined` means that all is right
 * except the names and the authorization of a stranger's server, to which the answer is no.
 */
export const ENDS = [
  'at once',
  'in stages',
  'reports',
  'asked',
  'declined',
  'stuck',
  'nothing to fix',
] as const;
export type End = (typeof ENDS)[number];

export interface Judgement {
  readonly end: End;
  /** Faults of a fix, each as a sentence. Empty if there are none. */
  readonly harm: readonly string[];
  /** Losses that fixes cause to others that send for the domain. */
  readonly others: readonly string[];
  /** Findings that remain when everything is done and every question is answered. */
  readonly left: readonly string[];
  /** Remaining findings that neither ask anything nor name someone who can act. */
  readonly stuck: readonly string[];
  /** States whose fix was followed by its steps alone. */
  readonly followed: readonly string[];
}

/** Rounds of following every finding and analysing again. */
const ROUNDS = 16;

/** An address that no record mentions. */
const ANYBODY = '100.64.1.1';

const isFault = ({ severity }: Finding): boolean => severity === 'fail' || severity === 'warn';

const faultsOf = ({ report }: Analysis): readonly Finding[] => report.findings.filter(isFault);

export const isAsked = ({ actions = [] }: Finding): boolean =>
  actions.some(({ kind }) => kind === 'ask');

/** Returns what can be done today. Steps after a question wait for its answer. */
export function today(actions: readonly Action[] = []): readonly Action[] {
  const asked = actions.findIndex(({ kind }) => kind === 'ask');
  return asked < 0 ? actions : actions.slice(0, asked);
}

/** Returns how far a check's state is from the worst one. If it does not apply, it is as far as possible. */
const rungOf = ({ states }: Analysis, id: string): number => {
  const rung = findCheck(id)?.states.findIndex(({ name }) => name === states[id]) ?? -1;
  return rung < 0 ? Number.POSITIVE_INFINITY : rung;
};

const STRENGTH = ['none', 'quarantine', 'reject'];

/**
 * Returns the share of mail to which the policy applies, at receivers that read `pct=` (RFC 7489 §6.6.4).
 */
const shareOf = ({ dmarc }: Report['authentication']): number =>
  Number(/;\s*pct\s*=\s*(\d+)/i.exec(dmarc.record ?? '')?.[1] ?? 100);

/** Returns whether receivers act on more failing email than before. */
function isRaised(before: Analysis, after: Analysis): boolean {
  const [old, now] = [before, after].map(({ report: { authentication } }) => ({
    policy: STRENGTH.indexOf(authentication.dmarc.effective_policy ?? 'none'),
    share: shareOf(authentication),
  }));
  if (!old || !now || now.policy === 0) return false;
  return now.policy > old.policy || (now.policy === old.policy && now.share > old.share);
}

/** Returns complaints that a fix caused, in checks that passed before, except those of its own family. */
function newComplaints(before: Analysis, after: Analysis, corrected: string): readonly string[] {
  const old = new Set(faultsOf(before).map(({ id }) => id));
  const causes = new Set(faultsOf(before).map(({ cause }) => cause));
  const family = findCheck(corrected)?.family;
  return (
    faultsOf(after)
      // One fault may appear as another. If the sender is authorized before it, it only affects others.
      .filter(({ cause }) => !causes.has(cause))
      .map(({ id }) => id)
      // A check that said nothing before, for example about a key that could not be read, had the fault all
      // the same.
      .filter((id) => !old.has(id) && !SEEN_BESIDE.includes(id) && before.states[id] !== undefined)
      .filter((id) => findCheck(id)?.family !== family)
  );
}

/**
 * Findings that may disappear with an email that is no longer changed on its way, or with another key or
 * signature.
 */
const SEEN_BESIDE: readonly string[] = ['bare_newlines', 'dkim_algorithm', 'dkim_key_size'];

/** Returns the top fixes after the first one that the first has made pointless. */
function lostTops(before: Analysis, after: Analysis, done: string): readonly string[] {
  const [first, ...others] = before.report.top_fixes;
  if (first?.id !== done) return [];
  // After a key is fixed, the same fault may have another cause.
  const left = new Set(faultsOf(after).flatMap(({ id, cause = id }) => [id, cause]));
  const causeOf = (id: string) => before.report.findings.find((one) => one.id === id)?.cause;
  return others
    .filter(({ id }) => !SEEN_BESIDE.includes(id) && !left.has(id) && !left.has(causeOf(id) ?? id))
    .map(({ id }) => id);
}

/** Returns what a step prints that must not be there, whatever its result. */
function wrongSteps({ facts, report }: Analysis, { situation, server }: Setup): readonly string[] {
  const { ip, fromOrganizationalDomain } = facts.names;
  const isOwn = (name: string | null) =>
    ['example.com', fromOrganizationalDomain].some((own) => `.${name}`.endsWith(`.${own}`));
  const zone = JSON.stringify(zoneWith(situation.zone));
  const created = new Set<string>();
  return report.findings.flatMap(({ id, actions = [] }) =>
    today(actions).flatMap((step) => {
      const { kind, operation, type, name, value } = step;
      if (name === 'mailbox') created.add(/\S+@[^\s,]+/.exec(value ?? '')?.[0] ?? '');
      if (kind !== 'dns' || operation === 'do' || type === 'PTR') return [];
      const text = value ?? '';
      const reports = [...text.matchAll(/mailto:([^\s,;!]+)/g)]
        .map(([, to = '']) => to)
        .filter((to) => isOwn(to.split('@')[1] ?? null));
      return [
        ...(isOwn(name) ? [] : [`${name} is not the sender's`]),
        ...(/ \+?all\b/i.test(text) ? [`${text} lets anyone in`] : []),
        ...(server === 'stranger' && ip && text.includes(ip)
          ? [`a stranger is let in: ${text}`]
          : []),
        ...reports
          .filter((to) => !zone.includes(to) && !created.has(to))
          .map((to) => `nobody created ${to}`),
      ].map((fault) => `${id}: ${fault}`);
    }),
  );
}

/** Returns steps that the DNS would refuse, or that remove what is not there, when carried out in order. */
function impossibleSteps({ report }: Analysis, { situation }: Setup): readonly string[] {
  return report.findings.flatMap(({ id, actions }) => {
    let now = situation;
    return today(actions).flatMap((step) => {
      const faults = whyImpossible(step, now);
      now = applyActions(now, [step]);
      return faults.map((fault) => `${id}: ${fault}`);
    });
  });
}

function whyImpossible(
  { kind, operation, name, type, replaces }: Action,
  now: Situation,
): string[] {
  if (kind !== 'dns' || operation === 'do' || name === null || type === 'PTR') return [];
  const held = zoneWith(now.zone)[name.toLowerCase()];
  const records = typeof held === 'object' ? held : {};
  const isAlias = records.CNAME !== undefined && type !== 'CNAME';
  const there = [records[type as keyof typeof records] ?? []].flat();
  return [
    ...(isAlias ? [`${name} is an alias, and no record can stand beside it`] : []),
    ...(isAlias ? [] : replaces)
      .filter((text) => !there.some((one) => textOf(one as string).startsWith(text)))
      .map((text) => `${name} has no such record: ${text}`),
  ];
}

/** Returns other people's texts at the names that fixes change, such as a proof of who owns the domain. */
const lostTexts = (before: Situation, after: Situation): readonly string[] =>
  Object.keys(before.zone ?? {}).flatMap((name) =>
    textsAt(before, name)
      .filter((text) => text.includes('verification') && !textsAt(after, name).includes(text))
      .map((text) => `${name} loses ${text}`),
  );

const textsAt = (one: Situation, name: string): readonly string[] =>
  (recordsAt(one, name).TXT ?? []).map(textOf);

/**
 * Returns records that two fixes of one report write in two ways. Anyone who publishes both has one of them
 * undone.
 */
function rivals({ report }: Analysis): readonly string[] {
  const written = report.findings.flatMap(({ id, actions }) =>
    today(actions)
      .filter(
        ({ kind, operation, type }) =>
          kind === 'dns' &&
          (operation === 'replace' || (operation === 'publish' && type === 'TXT')),
      )
      .map(({ type, name, value }) => ({ id, at: `${type} ${name}`, value })),
  );
  return written
    .filter((one, n) =>
      written.slice(0, n).some((other) => other.at === one.at && other.value !== one.value),
    )
    .map(({ id, at, value }) => `${id}: another fix writes ${at} otherwise: ${value}`);
}

/** Returns sentences that a fix repeats, apart from its records. */
const repeats = ({ report }: Analysis): readonly string[] =>
  report.findings.flatMap(({ id, fix = '' }) => {
    const sentences = fix.split(/(?<=[.?!:])\s+/).filter((one) => one.endsWith('.'));
    return sentences
      .filter((one, at) => sentences.indexOf(one) < at)
      .map((one) => `${id}: says twice: ${one}`);
  });

/** Returns header fields that a fix sets to a value that differs in another email. */
function constants({ facts, report }: Analysis): readonly string[] {
  const another: Facts = {
    ...facts,
    testId: 'zzzzzzzzzzzz',
    receivedAt: '2026-12-24T18:30:00.000Z',
  };
  const headersOf = (findings: readonly Finding[]) =>
    findings.flatMap(({ actions = [] }) =>
      actions.filter(({ kind, operation }) => kind === 'header' && operation === 'set'),
    );
  const others = headersOf(makeReport(another, ARRIVAL).findings);
  return headersOf(report.findings)
    .filter(({ name, value }) => {
      const isUnique = ['message-id', 'date'].includes(name?.toLowerCase() ?? '');
      return isUnique || !others.some((one) => one.name === name && one.value === value);
    })
    .map(({ name }) => `${name} is set to a constant`);
}

/** Carries out the steps of a finding that wait for nothing. Null if they are for a person. */
const applyToday = (one: Situation, finding: Finding): Situation | null =>
  applyFix(one, { ...finding, actions: [...today(finding.actions)] });

type Followed = Pick<Judgement, 'harm' | 'others'> & { readonly isFollowed: boolean };

/** Follows the fix of one finding and no other, and analyses the email again. */
async function followAlone(
  setup: Setup,
  before: Analysis,
  finding: Finding,
  environment: Analyzer,
): Promise<Followed> {
  const { id } = finding;
  // The fix is also followed as a whole, by someone who has answered its question.
  const isStranger = setup.server === 'stranger';
  const done = doFix(setup.situation, finding, isStranger);
  const now = applyToday(setup.situation, finding);
  // Someone whom an open record authorized no longer passes: a stranger, or anyone not named where a question
  // asks.
  const isShutOut = (isStranger || isAsked(finding)) && !!finding.cause?.startsWith('spf:');
  // The answer was no, or another email is judged.
  const isDeclined = isOfStranger(finding);
  const judgeAfter = async (changed: Situation, isWhole: boolean): Promise<readonly string[]> => {
    const after = await environment.analyze(changed);
    const isBetter = rungOf(after, id) > rungOf(before, id);
    const next = faultsOf(after).find((one) => one.id === id);
    const isOther = setup.hasLayers && next !== undefined && next.fix !== finding.fix;
    const isGone = isOther || (isBetter && next === undefined);
    const isUnasked = !isWhole || !isAsked(finding);
    const isDone = STEPS.includes(id) || isAsked(finding) ? isBetter || isOther : isGone;
    return [
      ...(isWhole && !isDone && !isDeclined ? [`is ${after.states[id]} after its fix`] : []),
      ...((isWhole && (isShutOut || isDeclined)) || after.report.score >= before.report.score
        ? []
        : [`${before.report.score} becomes ${after.report.score}`]),
      ...(isShutOut && isWhole ? [] : newComplaints(before, after, id)).map(
        (other) => `brings ${other}`,
      ),
      ...(isWhole && !isDeclined
        ? lostTops(before, after, id).map((other) => `makes ${other} pointless`)
        : []),
      ...(isUnasked && isRaised(before, after) ? ['raises the policy unasked'] : []),
    ].map((fault) => `${id}: ${fault}: ${finding.fix}`);
  };
  if (done === null && now === null) return { harm: [], others: [], isFollowed: false };
  const whole = done === null ? [] : await judgeAfter(done, true);
  const part = now !== null && isAsked(finding) ? await judgeAfter(now, false) : [];
  const lost = now === null ? [] : lostTexts(setup.situation, now);
  const others = now === null ? [] : await harmToOthers(setup, now, environment);
  return {
    harm: [...whole, ...part, ...lost.map((text) => `${id}: ${text}`)],
    others: others.map((text) => `${id}: ${text}: ${finding.fix}`),
    isFollowed: applyFix(setup.situation, finding) !== null,
  };
}

const applyAll = (one: Situation, findings: readonly Finding[]): Situation =>
  findings.reduce((now, finding) => applyToday(now, finding) ?? now, one);

/** Returns faults that come back when all fixes of one report are carried out, in either order. */
async function undone(
  { situation }: Setup,
  before: Analysis,
  environment: Analyzer,
): Promise<readonly string[]> {
  const faults = faultsOf(before).filter((one) => !isAsked(one));
  if (faults.length < 2) return [];
  const forwards = applyAll(situation, faults);
  if (forwards === situation) return [];
  const backwards = await environment.analyze(applyAll(situation, faults.toReversed()));
  const printed = await environment.analyze(forwards);
  const cured = (after: Analysis, { id }: Finding) => rungOf(after, id) > rungOf(before, id);
  return faults
    .filter((one) => cured(printed, one) !== cured(backwards, one))
    .map(({ id }) => `${id}: the order of the fixes matters`);
}

/** Returns whether nothing changed. Creating a mailbox changes neither the email nor its zone. */
const isSame = (one: Situation, other: Situation): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other);

/** Returns whether there is someone to do it, or to answer. */
const isForSomebody = ({ actions = [] }: Finding): boolean =>
  actions.some(({ kind, operation }) => kind === 'ask' || operation === 'do');

/** Answers the first question that changes something. Each is asked once. */
function answerOne(
  one: Situation,
  findings: readonly Finding[],
  isStranger: boolean,
  answered: Set<string>,
): { readonly finding: Finding; readonly done: Situation } | null {
  for (const finding of findings) {
    if (answered.has(finding.fix ?? '')) continue;
    answered.add(finding.fix ?? '');
    const done = doFix(one, finding, isStranger);
    if (done !== null) return { finding, done };
  }
  return null;
}

/** Follows all findings, round after round. Questions are answered once nothing else is left to do. */
async function follow({ situation, server }: Setup, before: Analysis, environment: Analyzer) {
  const isStranger = server === 'stranger';
  let now = situation;
  let unasked = situation;
  let seen = before;
  let rounds = 0;
  const asked: Finding[] = [];
  const answered = new Set<string>();
  for (; rounds < ROUNDS && faultsOf(seen).length > 0; rounds += 1) {
    const faults = faultsOf(seen);
    const next = applyAll(now, faults);
    const isIdle = isSame(next, now);
    const answer = isIdle ? answerOne(now, faults, isStranger, answered) : null;
    if (isIdle && answer === null) break;
    if (answer && isAsked(answer.finding)) asked.push(answer.finding);
    now = answer?.done ?? next;
    if (asked.length === 0) unasked = now;
    seen = await environment.analyze(now);
  }
  const left = faultsOf(seen);
  const isDeclined = isStranger && left.length > 0 && left.every(isOfStranger);
  return {
    now,
    unasked,
    end: isDeclined ? ('declined' as const) : endOf(left, asked, rounds),
    left: isDeclined ? [] : left,
  };
}

function endOf(left: readonly Finding[], asked: readonly Finding[], rounds: number): End {
  if (left.length > 0) return 'stuck';
  if (asked.length > 0) return asked.every(isCareAlone) ? 'reports' : 'asked';
  return rounds <= 1 ? 'at once' : 'in stages';
}

/** Checks SPF for an address that the sender never named. */
async function letsAnybodyIn(one: Situation, environment: Analyzer): Promise<boolean> {
  const { report } = await environment.analyze({ ...one, client: { ...one.client, ip: ANYBODY } });
  return report.authentication.spf.result === 'pass';
}

/**
 * Judges the one property of fixes. Each record, header field and setting that a fix prints is applied to the
 * email and its zone, by its data alone, and the analysis is run again: the fault is gone, there is no new
 * one, nobody else is authorized, and no constant replaces a value that differs from email to email.
 */
export async function judgeFixes(
  setup: Setup,
  environment: Analyzer,
  before?: Analysis,
): Promise<Judgement> {
  const { situation } = setup;
  const seen = before ?? (await environment.analyze(situation));
  const withFix = seen.report.findings.filter(({ fix }) => fix !== undefined);
  const harm: string[] = [
    ...wrongSteps(seen, setup),
    ...impossibleSteps(seen, setup),
    ...rivals(seen),
    ...repeats(seen),
    ...constants(seen),
  ];
  const others: string[] = [];
  const followed: string[] = [];
  for (const finding of withFix) {
    const alone = await followAlone(setup, seen, finding, environment);
    harm.push(...alone.harm);
    others.push(...alone.others);
    if (alone.isFollowed) followed.push(`${finding.id} ${seen.states[finding.id]}`);
  }
  harm.push(...(await undone(setup, seen, environment)));
  if (faultsOf(seen).length === 0)
    return { end: 'nothing to fix', harm, others, left: [], stuck: [], followed };
  const { now, unasked, end, left } = await follow(setup, seen, environment);
  const together = await harmToOthers(setup, unasked, environment);
  others.push(...together.map((text) => `all fixes together: ${text}`));
  harm.push(...lostTexts(situation, unasked));
  const isSpf = now.zone?.['example.com'] !== situation.zone?.['example.com'];
  if (isSpf && (await letsAnybodyIn(now, environment)))
    if (!(await letsAnybodyIn(situation, environment))) harm.push('anybody passes SPF');
  return {
    end,
    harm: [...new Set(harm)],
    others: [...new Set(others)],
    left: left.map(({ id }) => id),
    stuck: left
      .filter((one) => !isAsked(one) && (applyFix(now, one) !== null || !isForSomebody(one)))
      .map(({ id }) => id),
    followed,
  };
}
