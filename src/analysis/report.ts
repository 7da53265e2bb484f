/**
 * Builds the report on an email, as data and as the JSON to store: score, findings, fixes, notes and
 * evidence, cut to the maximum size.
 */

import type { Classification } from '../domain/report/message.ts';
import { Report, SCHEMA_VERSION } from '../domain/report/report.ts';
import { goesToMany } from './advice/audience.ts';
import { complianceOf } from './advice/compliance.ts';
import { findingsOf, gainsOf, suggestionsOf, topFixes } from './advice/top-fixes.ts';
import type { Verdict } from './check.ts';
import type { Facts } from './facts.ts';
import { toFilters } from './filters/to-filters.ts';
import { createFit, type Limits } from './fit-to-schema.ts';
import { judge } from './judge.ts';
import { ifKnown } from './lookup-result.ts';
import { toAuthentication, toConnection, toLinks, toMessage } from './report-objects.ts';
import { CATALOGUE_VERSION, FAMILY_CAPS, METHOD_VERSION } from './scale.ts';
import { type Doubt, doubtOf, type Score, scoreOf } from './score.ts';

/**
 * Writes out how the score was calculated, so that anyone can check the sum: `score: 100 - 12 rdns - 3 dmarc
 * = 85, capped at 59 by rdns_ptr`.
 */
function arithmetic({ sum, penalties, cap }: Score): string {
  const lost = penalties.map(({ family, points }) => ` - ${points} ${family}`).join('');
  const total = penalties.length > 0 ? ` = ${sum}` : '';
  const floor = sum < 0 ? ', raised to 0' : '';
  const capped = cap && cap.value < sum ? `, capped at ${cap.value} by ${cap.by.join(', ')}` : '';
  return `score: 100${lost}${total}${floor}${capped}`;
}

function linkReputation({ webRisk, links }: Facts): string {
  if (!webRisk.configured) return 'link reputation: not checked, no service is configured';
  if (links.status === 'unknown') return 'link reputation: not checked, the links were not read';
  if (links.value.report.domains.every(({ ip_literal }) => ip_literal))
    return 'link reputation: the email has no links to check';
  return 'link reputation: checked with a web-risk service, which was sent only host names';
}

/** Services that show a bulk sender how many recipients complain. Apple does not have one. */
const COMPLAINT_TOOLS =
  'Gmail Postmaster Tools (https://postmaster.google.com), Yahoo Sender Hub (https://senders.yahooinc.com) and Microsoft SNDS (https://sendersupport.olc.protection.outlook.com/snds)';

const complaints = (facts: Facts): string =>
  `the complaint rate cannot be measured here${goesToMany(facts) ? `; you can see it in ${COMPLAINT_TOOLS}` : '; mailbox providers show it in their own tools'}`;

/** Returns the notes of a report. `cut` contains the paths of the lists and texts that were shortened. */
const notesOf = (facts: Facts, score: Score, cut: readonly string[] = []): string[] => [
  arithmetic(score),
  `findings catalogue: version ${CATALOGUE_VERSION}`,
  'the report measures configuration and content, not inbox placement',
  'links were not opened',
  linkReputation(facts),
  complaints(facts),
  'fetched over HTTPS: only URLs that the sender publishes in DNS (MTA-STS policy, BIMI logo and certificate)',
  ...(facts.expiresAt === null ? [] : [`this report will be deleted at ${facts.expiresAt}`]),
  ...(cut.length > 0 ? [`shortened to fit the size limit: ${cut.join(', ')}`] : []),
  ...facts.remarks,
];

const fitReport = createFit(Report);

/** Maximum size of a `ReportWritten` event, in bytes of JSON. */
const MAX_EVENT_BYTES = 256 * 1024;

/** Part of `MAX_EVENT_BYTES` that is reserved for the event's own members around the report, in bytes. */
const ENVELOPE_BYTES = 2 * 1024;

/** Limits on the evidence, which are tried in this order until the report is small enough. */
const LIMITS: readonly Limits[] = [
  { items: 1000, characters: 4096 },
  { items: 100, characters: 4096 },
  { items: 100, characters: 512 },
  { items: 50, characters: 256 },
  { items: 20, characters: 256 },
];

/** Limits with which the report on any email is small enough, for when none of `LIMITS` suffices. */
const SMALLEST: Limits = { items: 5, characters: 128 };

/** Limits on the notes, which are short because we write them ourselves. */
const SENTENCES: Limits = { items: 100, characters: 500 };

/** Returns the calculation of the score as data. The first note of the report contains it in words. */
const breakdownOf = (
  { penalties, sum, cap }: Score,
  doubt: Doubt | null,
): Report['score_breakdown'] => ({
  families: penalties.map(({ family, points, by }) => ({
    family,
    points,
    limit: FAMILY_CAPS[family],
    findings: [...by],
  })),
  sum,
  cap: cap && { value: cap.value, findings: [...cap.by] },
  ...(doubt && {
    unknown: {
      lowest_score: doubt.lowest,
      findings: [...doubt.by],
      not_counted: [...doubt.unseen],
    },
  }),
});

/** The classification of an email whose header could not be read. */
const UNKNOWN_CLASS: Classification = { class: 'unknown', confidence: 0, evidence: [] };

/** A report together with its JSON, which was created to measure its size. */
interface MadeReport {
  readonly report: Report;
  readonly json: string;
}

/**
 * Builds the report on one email. The function has no side effects, so the same facts and time give the same
 * report.
 */
export const makeReport = (facts: Facts, analyzedAt: string): Report =>
  writeReport(facts, analyzedAt).report;

/** Builds the same report as `makeReport`, and also returns the JSON to store. */
export function writeReport(facts: Facts, analyzedAt: string): MadeReport {
  const verdicts = judge(facts);
  const score = scoreOf(verdicts);
  const gainOf = gainsOf(verdicts);
  const partialErrors = [...new Set([...facts.partialErrors, ...errorsOf(verdicts)])];

  const results = {
    schema_version: SCHEMA_VERSION,
    test_id: facts.testId,
    received_at: facts.receivedAt,
    analyzed_at: analyzedAt,
    ...(facts.expiresAt !== null && { expires_at: facts.expiresAt }),
    catalogue_version: CATALOGUE_VERSION,
    method_version: METHOD_VERSION,
    score: score.score,
    grade: score.grade,
    score_breakdown: breakdownOf(score, doubtOf(verdicts)),
    top_fixes: topFixes(verdicts, gainOf),
    suggestions: suggestionsOf(verdicts),
    findings: findingsOf(verdicts, gainOf),
  };
  const classification = ifKnown(facts.headers)?.classification ?? UNKNOWN_CLASS;
  const evidence = {
    classification,
    message: {
      ...toMessage(facts),
      compliance: complianceOf(verdicts),
    },
    connection: toConnection(facts),
    ...(facts.provider && { [facts.provider.name]: facts.provider }),
    authentication: toAuthentication(facts),
    transport_policy: facts.transport.report,
    links: toLinks(facts),
    ...(facts.filters && { filters: toFilters(facts.filters, results.findings) }),
    ...(partialErrors.length > 0 && { partial_errors: partialErrors }),
  };
  return fitted(results, evidence, (cut) => notesOf(facts, score, cut));
}

/**
 * Returns the error of each failed lookup once, with the checks that it leaves undecided. A value that no
 * part of this run could have found out is not an error.
 */
const errorsOf = (verdicts: readonly Verdict[]): readonly string[] => {
  const failed = verdicts.filter(({ unseen }) => !unseen);
  return [...Map.groupBy(failed, ({ error }) => error)].flatMap(([error, all]) =>
    error === undefined ? [] : [`${error} (${namesOf(all)})`],
  );
};

/** Maximum number of checks that an error line names. */
const MAX_NAMES = 3;

const namesOf = (all: readonly Verdict[]): string => {
  const more = all.length - MAX_NAMES;
  const names = all.slice(0, MAX_NAMES).map(({ check }) => check.id);
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
};

/** Cuts the evidence just enough to make the report small enough. The results are never cut for this. */
function fitted(results: object, evidence: object, notes: (cut: string[]) => string[]): MadeReport {
  const whole = fitReport(results);
  const attempt = (limits: Limits): MadeReport => {
    const part = fitReport(evidence, limits);
    const said = fitReport({ notes: notes([...whole.cut, ...part.cut]) }, SENTENCES);
    const parts = [whole.value, part.value, said.value] as object[];
    const report = Object.assign({}, ...parts) as Report;
    for (const member of Report.required ?? [])
      if (!Object.hasOwn(report, member)) throw new TypeError(`the report has no ${member}`);
    return { report, json: JSON.stringify(report) };
  };
  for (const limits of LIMITS) {
    const made = attempt(limits);
    if (isWithin(MAX_EVENT_BYTES - ENVELOPE_BYTES, made.json)) return made;
  }
  return attempt(SMALLEST);
}

/**
 * Returns whether the JSON takes at most the given number of bytes. A short text is not encoded to find this
 * out.
 */
function isWithin(bytes: number, json: string): boolean {
  return json.length * MAX_UTF8_BYTES <= bytes || new TextEncoder().encode(json).length <= bytes;
}

/** Maximum size of one UTF-16 code unit in UTF-8, in bytes. */
const MAX_UTF8_BYTES = 3;
