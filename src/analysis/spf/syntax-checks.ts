/** The checks of the SPF record's text, whose faults it also lists, and of the HELO name's record. */

import { deleteStep } from '../advice/actions.ts';
import { isOwnName } from '../advice/ownership.ts';
import { check } from '../check.ts';
import { whichHold } from '../definition.ts';
import type { Facts } from '../facts.ts';
import { formatCount } from '../format.ts';
import { ifKnown, type LookupResult, mapLookup, thenLookup, unknown } from '../lookup-result.ts';
import { heloName, isPublicHost } from '../names/host-name.ts';
import { isSharedPool } from '../names/shared-pools.ts';
import { REFUSED_IN_PART } from '../scale.ts';
import { ROOMY_OCTETS } from './correct.ts';
import type { SpfFacts, TermFault } from './facts.ts';
import { heloSteps, oneRecord, spfSteps } from './fixes.ts';
import { greetsWrongly, ownHeloSteps } from './helo-name.ts';
import { isAll, isReverse, isSpfRecord, isValidTerm, parseSpf, type SpfTerm } from './parse.ts';
import { planSpf } from './plan.ts';
import { readTerm } from './read-term.ts';
import { isUnlistedHelo, spfFixes } from './record-checks.ts';

/** Returns the faults of the published text, worst first. `domain` is the name that a fault may mention. */
export function lintSpf(record: string, domain: string, hasType99: boolean): TermFault[] {
  const terms = parseSpf(record);
  const faults = [
    ...terms.flatMap(lintTerm),
    ...lintOrder(terms),
    ...lintRepeats(terms),
    ...lintIgnored(terms),
  ];
  const octets = Buffer.byteLength(record);
  if (octets > ROOMY_OCTETS) faults.push(warn(lengthFault(octets)));
  if (isSpfRecord(record) && !record.startsWith('v=spf1'))
    faults.push(warn(record.slice(0, 'v=spf1'.length)));
  // The SPF record type (type 99) is obsolete (RFC 7208 §3.1).
  if (hasType99) faults.push(warn(`the SPF (type 99) record of ${domain}`));
  return faults.sort((a, b) => Number(a.severity === 'warn') - Number(b.severity === 'warn'));
}

const lengthFault = (octets: number): string =>
  `the length of the record (${octets} bytes; above ${ROOMY_OCTETS}, the DNS answer may be too large)`;

/** Returns whether a fault concerns only the length of the record. */
const isLengthFault = ({ bad }: TermFault): boolean => bad.startsWith('the length of ');

const fail = (bad: string): TermFault => ({ severity: 'fail', bad });
const warn = (bad: string): TermFault => ({ severity: 'warn', bad });

function lintTerm(term: SpfTerm): TermFault[] {
  const { text } = term;
  if (!isValidTerm(term)) return [fail(text)];
  return isReverse(term) || readTerm(text) !== text ? [warn(text)] : [];
}

/** Returns a fault if mechanisms come after `all`, because receivers never test them (RFC 7208 §5.1). */
function lintOrder(terms: readonly SpfTerm[]): TermFault[] {
  const all = terms.findIndex(isAll);
  if (all < 0) return [];
  const late = terms.slice(all + 1).filter(({ kind }) => kind !== 'modifier');
  const bad = [...terms.slice(all, all + 1), ...late].map(({ text }) => text).join(' ');
  return late.length === 0 ? [] : [fail(bad)];
}

const IGNORED = ', which receivers ignore because the record contains “all”';

/**
 * Returns a fault for each `redirect=` beside `all`, because receivers ignore it and every server that it
 * names (RFC 7208 §6.1).
 */
const lintIgnored = (terms: readonly SpfTerm[]): TermFault[] =>
  terms.some(isAll)
    ? terms
        .filter(({ kind, name }) => kind === 'modifier' && name === 'redirect')
        .map(({ text }) => warn(`${text}${IGNORED}`))
    : [];

/** Returns a fault if `redirect=` or `exp=` appears more than once (RFC 7208 §6). */
const lintRepeats = (terms: readonly SpfTerm[]): TermFault[] =>
  ['redirect', 'exp'].flatMap((name) => {
    const [first, ...more] = terms.filter((term) => term.kind === 'modifier' && term.name === name);
    const texts = [first, ...more].map((term) => term?.text).join(' ');
    return more.length > 0 ? [fail(texts)] : [];
  });

export const spfSyntax = check({
  id: 'spf_syntax',
  family: 'spf',
  gate: 'spf_record',
  title: 'SPF record syntax',
  source: 'RFC 7208 §3.3, §3.4, §5.5',
  about: {
    what: 'The parts of an SPF record have a fixed form. One unreadable part makes the whole record invalid.',
    why: 'A syntax error anywhere in the record makes SPF fail with a permanent error (permerror), even for servers that the record lists correctly.',
    how: [
      'Compare the part that the report names with the good example.',
      'Common errors: a space after a colon, quotation marks inside the record, ip4: before an IPv6 address.',
    ],
    bad: '"v=spf1 ipv4:192.0.2.25 include: _spf.google.com ~all"',
    good: '"v=spf1 ip4:192.0.2.25 include:_spf.google.com ~all"',
  },
  subject: oneRecord,
  states: ({ fail, warn, pass }) => ({
    broken: fail(12, REFUSED_IN_PART).when(
      'unknown mechanism, terms after all, typographic quotes, a single string over 255 bytes, the record only at _spf., or, without an email, a term that leads to no record, to several or to a broken one',
      (spf, facts) =>
        spf.syntaxFaults.some(({ severity }) => severity === 'fail') ||
        (spf.report.result === 'permerror' && brokenBehind(spf, facts).length > 0),
    ),
    broken_behind: warn(3).when(
      'a term that leads to no record or to several, but which this email does not need to pass',
      (spf, facts) => brokenBehind(spf, facts).length > 0,
    ),
    doubtful: warn(2).when(
      `ptr mechanism or macro p, redirect= together with all, a record over ${ROOMY_OCTETS} bytes, upper-case V=SPF1, a leftover SPF type 99 record`,
      ({ syntaxFaults }) => syntaxFaults.length > 0,
    ),
    clean: pass('no errors'),
  }),
  detail: (spf, facts) => {
    const faults = faultsOf(spf, facts);
    return faults.length === 0
      ? 'No errors.'
      : `${formatCount(faults.length, 'problem')}: ${faults.join(', ')}.`;
  },
  evidence: (spf, facts) => ({ faults: faultsOf(spf, facts) }),
  fix: {
    why: 'Receivers cannot use part of your SPF record.',
    do: 'Separate the terms with single spaces.',
  },
  fixes: {
    behind: {
      why: 'This email passed before receivers reached a broken part of your SPF record. For other mail, that part is a permanent error (permerror).',
      do: 'Remove the term, or publish the record that it names.',
    },
    split: {
      why: 'Your SPF record is so long that DNS answers may be cut off. Split it.',
      do: 'Move some of its terms into a record at a name under your domain, and include that record.',
    },
    long: {
      why: `Your SPF record is longer than ${ROOMY_OCTETS} bytes, so DNS answers may be cut off.`,
      do: 'Remove what you no longer use, or move address ranges into a record at a name under your domain and include that record.',
    },
    reverse: {
      why: 'Your SPF record asks for the reverse name of each sender (ptr). That is slow, and receivers may ignore it.',
      do: 'Remove ptr from the record.',
    },
    ignored:
      'Your SPF record contains both redirect= and all. Receivers then ignore redirect= and every server that it allows.',
    version:
      'Your SPF record begins with V=SPF1. The standard allows capitals, but some receivers accept only v=spf1.',
    type99:
      '{envelope_domain} also has a record of the obsolete type SPF (99). The TXT record is enough.',
  },
  ...spfFixes,
  cases: (spf, facts) => {
    const behind = whichHold({
      behind: spf.report.result !== 'permerror' && brokenBehind(spf, facts).length > 0,
    });
    if (spf.syntaxFaults.length === 0) return behind;
    if (spf.syntaxFaults.every(isType99)) return [...behind, 'type99'];
    const others = spf.syntaxFaults.filter((fault) => !isLengthFault(fault));
    const { isLong } = planSpf(spf, facts);
    if (others.length === 0) return [...behind, isLong ? 'long' : 'split'];
    return [...behind, whyOf(others), ...whichHold({ long: isLong })];
  },
  steps: (spf, facts, name) => [
    ...(spf.syntaxFaults.some(isType99)
      ? [deleteStep(spf.report.domain, 'SPF', [spf.report.record ?? ''])]
      : []),
    // A record that only its owner can shorten is not printed in the fix again.
    ...(name === 'long' ? [] : spfSteps(spf, facts)),
  ],
});

/**
 * Returns the broken terms that no check of an email's result reports. Loops are left out, because the check
 * of lookups reports them.
 */
const brokenBehind = (
  { report, brokenTerms }: SpfFacts,
  { names }: Facts,
): SpfFacts['brokenTerms'] =>
  report.result === 'permerror' && names.ip !== null
    ? []
    : brokenTerms.filter(({ isOfSender, cause }) => !isOfSender && cause !== 'loop');

const faultsOf = (spf: SpfFacts, facts: Facts): readonly string[] => [
  ...spf.syntaxFaults.map(({ bad }) => bad),
  ...brokenBehind(spf, facts).map(({ term, why }) => `${term} (${why})`),
];

const isReverseTerm = ({ bad }: SpfFacts['syntaxFaults'][number]): boolean =>
  parseSpf(`v=spf1 ${bad}`).every(isReverse);

/** Returns the name of the fix for faults that are all of one kind. */
const whyOf = (faults: SpfFacts['syntaxFaults']) =>
  faults.every(isReverseTerm)
    ? 'reverse'
    : faults.every(isIgnored)
      ? 'ignored'
      : faults.every(({ bad }) => /^v=spf1$/i.test(bad))
        ? 'version'
        : 'fix';

const isIgnored = ({ bad }: TermFault): boolean => bad.endsWith(IGNORED);

const isType99 = ({ bad }: SpfFacts['syntaxFaults'][number]): boolean =>
  bad.startsWith('the SPF (type 99)');

/** Judges a HELO name that others can look up and that does not belong to a shared pool. */
export const spfHelo = check({
  id: 'spf_helo',
  family: 'spf',
  title: 'SPF of the HELO name',
  source: 'RFC 7208 §2.3, §2.4',
  about: {
    what: 'Bounces have no sender address, so receivers check SPF for the name that your server gives in HELO instead.',
    why: 'If that name has an SPF record that does not list the server, receivers may refuse bounces and out-of-office replies.',
    how: [
      'At the name of your mail server, publish an SPF record (TXT) that allows the address of that server.',
    ],
    bad: 'mail.example.com  TXT  "v=spf1 -all"',
    good: 'mail.example.com  TXT  "v=spf1 a -all"',
  },
  subject: ({ spf, names: { helo } }): LookupResult<string> | undefined =>
    helo === null || !isPublicHost(helo) || isSharedPool(helo)
      ? undefined
      : thenLookup(spf, (value) =>
          thenLookup(value.helo, ({ result }) =>
            result === 'temperror'
              ? unknown(`dns: SPF of ${helo}: temperror`)
              : mapLookup(value.helo, () => result),
          ),
        ),
  states: ({ suggest, pass }) => ({
    absent: suggest.when('no SPF record at the HELO name', (result) => result !== 'pass'),
    passes: pass('SPF passes for the HELO name'),
  }),
  detail: (result, { names: { helo } }) => `${result} for ${helo?.replace(/\.$/, '')}.`,
  evidence: (result, { names: { helo } }) => ({ result, helo }),
  fix: {
    why: 'For bounces, receivers check SPF for the HELO name of your server, {helo}, whose SPF record does not list the server.',
    do: 'Publish an SPF record at {helo} that lists the address of the server.',
  },
  fixes: {
    absent:
      'For bounces, receivers check SPF for the HELO name of your server, {helo}, which has no SPF record.',
  },
  cases: (result) => (result === 'none' ? ['absent'] : []),
  steps: (_, facts) => {
    const spf = ifKnown(facts.spf);
    if (spf === undefined) return undefined;
    if (greetsWrongly(facts)) return ownHeloSteps(facts);
    // For a bounce, a record at this name was already judged as the sender's, because a name has only one.
    const isJudged = spf.report.scope === 'helo' && !isUnlistedHelo(spf);
    return isJudged ? spfSteps(spf, facts) : heloSteps(spf, facts);
  },
  others: (_, facts) => {
    const { helo } = facts.names;
    const name = heloName(helo);
    return isOwnName(name, facts) || greetsWrongly(facts)
      ? undefined
      : {
          owner: 'platform',
          why: `The server that sent this email gives the name ${name} in HELO, which is not a name in your domain.`,
          ask: 'Ask whoever runs that server to publish an SPF record for its name.',
        };
  },
});
