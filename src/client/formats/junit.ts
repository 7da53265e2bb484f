/** Formats results as JUnit XML, for CI pipelines. */

import type { Finding } from '../../domain/report/report.ts';
import { lowestScore } from '../../domain/report/score-text.mjs';
import { isOfMail, type RunOutcome } from '../outcome.ts';
import type { FilePlace } from './json-schema.ts';
import { plainText } from './plain-text.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
};

const escapeBy = (text: string, pattern: RegExp) =>
  plainText(text).replace(pattern, (char) => ENTITIES[char] ?? char);

/** Formats an XML element. `children` are formatted elements or escaped text. */
function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  children: readonly string[] = [],
): string {
  const all = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escapeBy(String(value), /[&<>"\n]/g)}"`,
  );
  const head = `<${name}${all.join('')}`;
  return children.length === 0 ? `${head}/>` : `${head}>${children.join('')}</${name}>`;
}

const xmlText = (text: string): string => escapeBy(text, /[&<>]/g);

const SUITE = 'deliverability';

/**
 * Formats one test suite per email, with one test case per finding, and one for the score if a minimum is
 * required. Test cases fail if they do not meet the criteria. The output is valid under both schemas in use,
 * Ant's and Jenkins': it contains nothing that either forbids, and everything that either requires.
 */
export const toJunit = (outcomes: readonly RunOutcome[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', {}, outcomes.map(toSuite))}\n`;

function toSuite(outcome: RunOutcome, id: number): string {
  const cases = outcome.report ? reportCases(outcome) : [faultCase(outcome)];
  const count = (kind: Case['kind']) => cases.filter((one) => one.kind === kind).length;
  const { report } = outcome;
  const known = report && (isOfMail(report) ? report.received_at : report.checked_at);
  const at = known ?? new Date().toISOString();
  const attributes = {
    name: outcome.file ?? (report && !isOfMail(report) ? report.domain : SUITE),
    package: SUITE,
    id,
    // The time is in UTC, without fractions of a second and without a time zone.
    timestamp: at.slice(0, 19),
    hostname: 'localhost',
    tests: cases.length,
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
    time: 0,
  };
  return element('testsuite', attributes, [
    properties(outcome),
    ...cases.map(({ xml }) => xml),
    element('system-out', {}),
    element('system-err', {}),
  ]);
}

interface Case {
  readonly kind: 'passed' | 'failure' | 'error' | 'skipped';
  readonly xml: string;
}

const testCase = (
  kind: Case['kind'],
  area: string,
  name: string,
  message = '',
  text = '',
): Case => {
  const inside =
    kind === 'passed'
      ? []
      : [
          kind === 'skipped'
            ? element('skipped', { message })
            : element(kind, { message, type: kind }, [xmlText(text || message)]),
        ];
  const attributes = { classname: `${SUITE}.${area}`, name, time: 0 };
  return { kind, xml: element('testcase', attributes, inside) };
};

function reportCases({ report, failures, file, places }: RunOutcome): Case[] {
  const byId = new Map(failures.map((one) => [one.id, one.message]));
  const findings = report?.findings ?? [];
  const absent = failures.filter(({ id }) => !findings.some((one) => one.id === id));
  return [
    ...absent.map(({ id, message }) => testCase('failure', 'criteria', id, message)),
    ...findings.map((finding) =>
      findingCase(finding, byId.get(finding.id), placeInWords(file, places.get(finding.id))),
    ),
  ];
}

/** Returns the place of a finding in the form that editors and terminals turn into a link. */
const placeInWords = (file: string | null, place: FilePlace | undefined): string =>
  file !== null && place ? `${file}:${place.line}: ${place.what}` : '';

function findingCase(finding: Finding, failure: string | undefined, place: string): Case {
  const { area, id, title, detail, fix, checked } = finding;
  const name = `${id}: ${title}`;
  if (failure !== undefined) {
    const text = [place, failure, fix && `Fix: ${fix}`].filter(Boolean).join('\n\n');
    return testCase('failure', area, name, failure, text);
  }
  return checked === false
    ? testCase('skipped', area, name, detail)
    : testCase('passed', area, name);
}

function faultCase({ fault }: RunOutcome): Case {
  const message = fault?.message ?? 'There is no report.';
  return testCase(fault?.excused ? 'skipped' : 'error', 'run', 'report', message);
}

const properties = ({ report }: RunOutcome): string =>
  element(
    'properties',
    {},
    Object.entries(
      report && isOfMail(report)
        ? { score: report.score, lowest_score: lowestScore(report), grade: report.grade }
        : { score: 'none' },
    ).map(([name, value]) => element('property', { name, value })),
  );
