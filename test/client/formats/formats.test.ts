/**
 * Tests the output formats of the command (view, Markdown, JUnit, SARIF and annotations), and how
 * it applies requirements and shows unknown results.
 */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { describe, expect, test } from 'vitest';
import { unknown, unseen } from '../../../src/analysis/lookup-result.ts';
import { makeReport } from '../../../src/analysis/report.ts';
import { sampleReport } from '../../../src/analysis/sample.ts';
import { fixParts } from '../../../src/client/formats/fix-parts.ts';
import { toGithub } from '../../../src/client/formats/github.ts';
import { toJunit } from '../../../src/client/formats/junit.ts';
import { columnsOf } from '../../../src/client/formats/layout.ts';
import { toMarkdown } from '../../../src/client/formats/markdown.ts';
import { toSarif } from '../../../src/client/formats/sarif.ts';
import { toView } from '../../../src/client/formats/view.ts';
import { judgeReport, type RunOutcome } from '../../../src/client/outcome.ts';
import type { Report } from '../../../src/domain/report/report.ts';
import { facts } from '../../support/mail/facts.ts';

const outcome = (report: Report | null, more: Partial<RunOutcome> = {}): RunOutcome => ({
  report,
  failures: [],
  fault: null,
  file: null,
  remarks: [],
  places: new Map(),
  ...more,
});

const criteria = { minScore: 95, failOn: 'warn', required: ['bimi_record'] } as const;

/** Everything that the DNS may contain and a format must not let through. */
const HOSTILE =
  'v=spf1\u0000\u001b[31m\u202e ]]> <script>&"\'\n::error::x\r\n```\n| % \ud800 \ufffe @everyone\u009b2J';

const hostile: Report = {
  ...sampleReport,
  findings: sampleReport.findings.map((one) => ({ ...one, detail: HOSTILE, fix: HOSTILE })),
  top_fixes: sampleReport.top_fixes.map((one) => ({ ...one, fix: HOSTILE })),
};

const silent = unknown('dns: TXT _dmarc.example.com: SERVFAIL');
const open = makeReport(
  facts({ dmarc: silent }, { connection: { spamcop: unseen('spamcop: not checked') } }),
  sampleReport.received_at,
);

const fault = {
  code: 'mail_refused',
  message: 'The mail was refused.',
  exitCode: 3,
  excused: false,
} as const;

const outcomes: Record<string, RunOutcome> = {
  'a good report': outcome(sampleReport),
  'a report below': outcome(sampleReport, { failures: judgeReport(sampleReport, criteria) }),
  'a report on a file': outcome(sampleReport, { file: 'mails/a mail.eml' }),
  'a report with something open': outcome(open, { failures: judgeReport(open, criteria) }),
  'hostile texts': outcome(hostile, { failures: judgeReport(hostile, criteria) }),
  'no report': outcome(null, { fault }),
  'an outage that is excused': outcome(null, { fault: { ...fault, exitCode: 5, excused: true } }),
};

/** Returns the official schema. Its draft 4 differs from later drafts only in its identifiers. */
function sarifSchema() {
  const path = createRequire(import.meta.url)
    .resolve('@microsoft/jest-sarif')
    .replace(/index\.js$/, 'schemas/sarif-2.1.0-rtm.5.json');
  const { $schema: _, id: __, ...schema } = JSON.parse(readFileSync(path, 'utf8'));
  const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
  addFormats.default(ajv);
  return ajv.compile(schema);
}

const isSarif = sarifSchema();

describe.each(Object.entries(outcomes))('%s', (_, one) => {
  test('is SARIF 2.1.0', () => {
    isSarif(JSON.parse(toSarif([one])));
    expect(isSarif.errors).toBeNull();
    expect(toSarif([one])).not.toMatch(/\{[a-z_]+\}/);
  });

  test('is XML, and counts what it contains', () => {
    const xml = toJunit([one]);
    expect(XMLValidator.validate(xml)).toBe(true);
    const parser = new XMLParser({
      ignoreAttributes: false,
      attributeNamePrefix: '',
      isArray: isList,
    });
    const { testsuites } = parser.parse(xml);
    const [suite] = testsuites.testsuite;
    const count = (kind: string) => suite.testcase.filter((each: object) => kind in each).length;
    expect(suite).toMatchObject({
      tests: String(suite.testcase.length),
      failures: String(count('failure')),
      errors: String(count('error')),
      skipped: String(count('skipped')),
    });
  });

  test('is JUnit according to the schemas of Ant and Jenkins', () => {
    const xml = toJunit([one]);
    const names = (tag: string) => [...tag.matchAll(/ ([a-z]+)="/g)].map(([, name]) => name);
    const tags = [...xml.matchAll(/<([a-z-]+)[^<>]*>/g)];
    for (const [tag, name = ''] of tags) expect([name, names(tag)]).toEqual([name, JUNIT[name]]);
    const order = tags.map(([, name]) => name).filter((name) => name !== 'property');
    const cases = '( testcase( skipped| failure| error)?)+';
    expect(order.join(' ')).toMatch(
      new RegExp(`^testsuites testsuite properties${cases} system-out system-err$`),
    );
    expect(xml).toMatch(/ timestamp="\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d"/);
  });

  test('is one workflow command per line', () => {
    for (const line of toGithub([one]).trimEnd().split('\n'))
      expect(line).toMatch(/^::(error|warning|notice) (file=[^:,]+,line=1,)?title=[^:,]*::.+$/);
  });

  test.each([40, 80, 140])('keeps to %i columns, except for text to copy', (columns) => {
    const copied = (one.report?.findings ?? []).flatMap((finding) =>
      fixParts({ fix: finding.fix ?? '' }, finding.actions)
        .filter(({ kind }) => kind === 'copy')
        .flatMap(({ text }) => text.split('\n')),
    );
    const text = toView([one], { columns, colors: false, all: true });
    for (const line of text.split('\n'))
      if (!copied.includes(line.trim()) && line.trim().includes(' '))
        expect(columnsOf(line), line).toBeLessThanOrEqual(Math.max(columns, 60));
  });

  test('moves no cursor and reverses no text', () => {
    const texts = [
      toView([one], { columns: 80, colors: false, all: true }),
      toMarkdown([one]),
      toGithub([one]),
      toJunit([one]),
    ];
    for (const text of texts) expect(text).not.toMatch(/(?!\n)(?:\p{Cc}|\p{Bidi_Control}|\p{Cs})/u);
  });
});

/** The attributes of each element: all that one of the schemas requires, and none that one of them lacks. */
const JUNIT: Readonly<Record<string, readonly string[]>> = {
  testsuites: [],
  testsuite: [
    ...['name', 'package', 'id', 'timestamp', 'hostname'],
    ...['tests', 'failures', 'errors', 'skipped', 'time'],
  ],
  properties: [],
  property: ['name', 'value'],
  testcase: ['classname', 'name', 'time'],
  skipped: ['message'],
  failure: ['message', 'type'],
  error: ['message', 'type'],
  'system-out': [],
  'system-err': [],
};

const isList = (name: string) => name === 'testsuite' || name === 'testcase';

test.each([
  ['mails/b c.eml', 'mails/b%20c.eml'],
  ['a#b?c%20.eml', 'a%23b%3Fc%2520.eml'],
  ['x:y.eml', 'x%3Ay.eml'],
  ['/mails/a#b.eml', 'file:///mails/a%23b.eml'],
])('%s has a URI in SARIF', (file, uri) => {
  const { runs } = JSON.parse(toSarif([outcome(sampleReport, { file })]));
  expect(runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri).toBe(uri);
});

test('only adds colours', () => {
  const options = { columns: 80, all: false };
  const plain = toView([outcome(sampleReport)], { ...options, colors: false });
  const coloured = toView([outcome(sampleReport)], { ...options, colors: true });
  expect(coloured).not.toBe(plain);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the sequences that set colours
  expect(coloured.replace(/\u001b\[\d+m/g, '')).toBe(plain);
});

test('a record is alone on its line, in full', () => {
  const view = toView([outcome(sampleReport)], { columns: 40, colors: false, all: false });
  expect(view).toMatch(/^ {7}v=DMARC1; p=quarantine; rua=mailto:dmarc@example\.com$/m);
  const markdown = toMarkdown([outcome(sampleReport)]);
  expect(markdown).toContain('```text\nv=DMARC1; p=quarantine; rua=mailto:dmarc@example.com\n```');
});

test('the words and records of every fix together make up the fix', () => {
  for (const { fix = '', actions } of sampleReport.findings) {
    const parts = fixParts({ fix }, actions).map(({ text }) => text);
    expect(parts.join(' ').replace(/\s+/g, ' ')).toBe(fix.replace(/\s+/g, ' ').trim());
  }
});

describe('the requirements', () => {
  const judge = (change: object) =>
    judgeReport(sampleReport, { minScore: null, failOn: null, required: [], ...change }).map(
      ({ id }) => id,
    );
  const { score } = sampleReport;

  test.each([
    [score, []],
    [score + 1, ['score']],
  ])('a score of %i', (minScore, failed) => {
    expect(judge({ minScore })).toEqual(failed);
  });

  test('a severity, and anything worse', () => {
    const warned = sampleReport.findings.filter(({ severity }) => severity === 'warn');
    expect(judge({ failOn: 'warn' })).toEqual(warned.map(({ id }) => id));
    expect(judge({ failOn: 'fail' })).toEqual([]);
  });

  test('a finding passes, or it is below: even if it is missing', () => {
    expect(judge({ required: ['spf_result'] })).toEqual([]);
    expect(judge({ required: ['bimi_record', 'bimi_logo'] })).toEqual(['bimi_record', 'bimi_logo']);
  });
});

describe('unknown results', () => {
  const one = outcome(open);
  const options = { columns: 100, colors: false, all: true };

  test('come first in the view, and have no score of their own', () => {
    const lines = toView([one], options).split('\n').filter(Boolean);
    expect(lines[0]).toMatch(
      /^ {2}Not checked: \d of \d+ findings\. The score could be as low as \d+, depending on:/,
    );
    expect(toView([one], options)).toMatch(/^ {2}\d+ to 100 of 100 {2}D to A {2}█+▒+/m);
    expect(toView([one], options)).toMatch(/^ {8}Not checked: DMARC alignment, DMARC record, /m);
    expect(toView([one], options)).not.toContain('Nothing to fix.\n');
  });

  test('are listed as not checked exactly as often as they are counted', () => {
    const view = toView([one], options);
    const [, counted] = /, (\d+) not checked/.exec(view) ?? [];
    const [, listed] = / {8}Not checked: ([^:]*)\n {8}Cannot be checked here: /.exec(view) ?? [];
    expect(listed?.split(', ')).toHaveLength(Number(counted));
  });

  test('are open in SARIF, skipped in JUnit, and named for GitHub and in Markdown', () => {
    const { runs } = JSON.parse(toSarif([one]));
    const found = runs[0].results.find(
      ({ ruleId }: { ruleId: string }) => ruleId === 'dmarc_record',
    );
    expect(found).toMatchObject({ kind: 'open', level: 'none' });
    expect(toJunit([one])).toMatch(/name="dmarc_record: [^>]*><skipped message="Unknown: /);
    expect(toJunit([one])).toMatch(/<property name="lowest_score" value="\d+"\/>/);
    expect(toGithub([one])).toContain('Not checked: ');
    expect(toMarkdown([one])).toMatch(/\*\*Not checked: /);
    expect(toMarkdown([one])).toContain('DMARC record (dmarc\\_record)');
  });

  test('meet no requirement', () => {
    const judge = (minScore: number | null, ...required: string[]) =>
      judgeReport(open, { minScore, failOn: null, required }).map(({ id }) => id);
    const lowest = open.score_breakdown?.unknown?.lowest_score ?? Number.NaN;
    expect(judge(lowest)).toEqual([]);
    expect(judge(lowest + 1)).toEqual(['score']);
    expect(judge(null, 'dmarc_record', 'dmarc_policy')).toEqual(['dmarc_record', 'dmarc_policy']);
  });
});

test('the domain is shown in full, however long it is and however narrow the terminal', () => {
  for (const columns of [40, 60, 80, 120])
    for (const domain of ['example.com', `news.${'a'.repeat(50)}.example.co.uk`]) {
      const header_from = { ...sampleReport.message.header_from, domain };
      const report = { ...open, message: { ...open.message, header_from } };
      const text = toView([outcome(report)], { columns, colors: false, all: false });
      expect(text).toMatch(new RegExp(`[ \\n]${domain}\\n`));
    }
});
