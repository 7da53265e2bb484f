/** Tests which requirements of Gmail, Yahoo and Microsoft a report shows as met. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { complianceOf, judgeRequirement } from '../../../src/analysis/advice/compliance.ts';
import type { Check, Verdict } from '../../../src/analysis/check.ts';
import { checks, findCheck } from '../../../src/analysis/checks.ts';
import type { Facts } from '../../../src/analysis/facts.ts';
import { unknown } from '../../../src/analysis/lookup-result.ts';
import { makeReport } from '../../../src/analysis/report.ts';
import { scoreOf } from '../../../src/analysis/score.ts';
import { type Requirement, requirements } from '../../../src/domain/requirements.ts';
import { bulkMail, facts, type Part, signed } from '../../support/mail/facts.ts';

const of = (...parts: Part<Facts>[]) => {
  const { message } = makeReport(facts(...parts), '2026-11-20T12:00:02.000Z');
  const { gmail, yahoo, microsoft } = message.compliance ?? {};
  return {
    gmail: gmail?.all_senders,
    gmailBulk: gmail?.bulk,
    yahoo: yahoo?.all_senders,
    yahooBulk: yahoo?.bulk,
    microsoft: microsoft?.high_volume,
  };
};

const MET = { status: 'met', missing: [] };
const notMet = (...missing: string[]) => ({ status: 'not_met', missing });
/** The requirements of all three providers for bulk senders, with the same things missing from each. */
const bulk = (...missing: string[]) => ({
  gmailBulk: notMet(...missing),
  yahooBulk: notMet(...missing),
  microsoft: notMet(...missing),
});
const partly = (...missing: string[]) => ({ status: 'partly_observable', missing });
const all = { gmail: MET, gmailBulk: MET, yahoo: MET, yahooBulk: MET, microsoft: MET };

const lost = unknown('worker: no answer');
const unsigned: Part<Facts> = {
  dkim: { value: { signatures: [], total: 0 } },
  dmarc: { value: { dkimAligned: false } },
};
const softfail: Part<Facts> = {
  spf: { value: { report: { result: 'softfail' } } },
  dmarc: { value: { spfAligned: false } },
};
const unaligned: Part<Facts> = { dmarc: { value: { spfAligned: false, dkimAligned: false } } };

const rows: [string, Part<Facts>[], object][] = [
  ['a perfect email', [], {}],
  ['perfect bulk mail', [bulkMail], {}],
  ['unsigned', [unsigned], bulk('dkim_present')],
  ['softfail', [softfail], bulk('spf_result')],
  [
    'neither SPF nor DKIM',
    [softfail, unsigned],
    {
      gmail: notMet('spf_result', 'dkim_present'),
      yahoo: notMet('spf_result', 'dkim_present'),
      ...bulk('spf_result', 'dkim_present', 'dmarc_alignment'),
    },
  ],
  ['not aligned', [unaligned], bulk('dmarc_alignment')],
  [
    'a DMARC record that receivers ignore',
    [{ dmarc: { value: { ignoredBecause: 'two records', report: { policy: null } } } }],
    bulk('dmarc_record_valid'),
  ],
  [
    'no DMARC record',
    [{ dmarc: { value: { anyRecord: false, report: { policy: null } } } }],
    bulk('dmarc_record'),
  ],
  ['DMARC at p=none', [{ dmarc: { value: { report: { effective_policy: 'none' } } } }], {}],
  [
    'aligned by SPF alone, and DKIM passes for another domain',
    [{ dmarc: { value: { dkimAligned: false } } }],
    {},
  ],
  [
    'DKIM that does not verify',
    [
      {
        dkim: {
          value: { signatures: [signed({ report: { result: 'fail', reason: 'bad_signature' } })] },
        },
      },
    ],
    bulk('dkim_valid'),
  ],
  [
    'a PTR that does not resolve back',
    [{ connection: { forward: { value: { confirmed: false, confirmedNames: [] } } } }],
    { gmail: notMet('rdns_fcrdns'), yahoo: notMet('rdns_fcrdns') },
  ],
  [
    'PTR unknown',
    [{ connection: { ptr: lost, forward: lost } }],
    { gmail: partly('rdns_ptr'), yahoo: partly('rdns_ptr') },
  ],
  ['old TLS', [{ connection: { tls: { version: 'TLSv1' } } }], {}],
  [
    'no PTR',
    [{ connection: { ptr: { value: [] } } }],
    { gmail: notMet('rdns_ptr'), yahoo: notMet('rdns_ptr') },
  ],
  [
    'plain text',
    [{ connection: { tls: { status: 'plaintext' } } }],
    { gmail: notMet('connection_tls') },
  ],
  [
    'TLS not observable',
    [{ connection: { tls: { status: 'not_observable' } } }],
    { gmail: partly('connection_tls') },
  ],
  [
    'a fail of the structure',
    [{ headers: { value: { duplicates: ['Subject'] } } }],
    { gmail: notMet('duplicate_headers'), yahoo: notMet('duplicate_headers') },
  ],
  [
    'another freemail domain',
    [unaligned, { headers: { value: { from: { freemail: true } } } }],
    {
      gmail: notMet('from_domain_freemail'),
      ...bulk('dmarc_alignment'),
    },
  ],
  [
    'bulk without one-click',
    [bulkMail, { headers: { value: { listUnsubscribe: { post: false } } } }],
    { gmailBulk: notMet('one_click'), yahooBulk: notMet('one_click') },
  ],
  [
    'bulk without List-Unsubscribe',
    [bulkMail, { headers: { value: { listUnsubscribe: { present: false } } } }],
    { gmailBulk: notMet('list_unsubscribe'), yahooBulk: notMet('list_unsubscribe') },
  ],
  [
    'bulk whose one-click headers are not signed',
    [bulkMail, { dkim: { value: { signatures: [signed({ coversListUnsubscribePost: false })] } } }],
    { gmailBulk: notMet('one_click_signed'), yahooBulk: notMet('one_click_signed') },
  ],
  [
    'mail that is not bulk without any of it',
    [{ content: { value: { content: { unsubscribe_link_found: false } } } }],
    {},
  ],
  [
    'mail of which nothing was read',
    [{ headers: lost, content: lost, links: lost }],
    {
      gmail: partly(
        'from_header',
        'duplicate_headers',
        'mime_structure',
        'line_length',
        'bare_newlines',
        'date_header',
        'message_id',
        'from_domain_freemail',
        'impersonation',
      ),
      yahoo: partly(
        'from_header',
        'duplicate_headers',
        'mime_structure',
        'line_length',
        'bare_newlines',
        'date_header',
        'message_id',
      ),
      gmailBulk: partly('list_unsubscribe', 'body_unsubscribe'),
      yahooBulk: partly('list_unsubscribe', 'body_unsubscribe'),
    },
  ],
  [
    'bulk without a link in the body',
    [bulkMail, { content: { value: { content: { unsubscribe_link_found: false } } } }],
    { gmailBulk: notMet('body_unsubscribe'), yahooBulk: notMet('body_unsubscribe') },
  ],
  [
    'SPF unknown, DKIM good',
    [{ spf: unknown('dns: TXT example.com: SERVFAIL') }],
    {
      gmailBulk: partly('spf_record'),
      yahooBulk: partly('spf_record'),
      microsoft: partly('spf_record'),
    },
  ],
  [
    'permerror that another check explains',
    [{ spf: { value: { report: { result: 'permerror', lookups: 11 } } } }],
    bulk('spf_lookup_limit'),
  ],
];

describe('the requirements of the providers', () => {
  test.each(rows)('%s', (_, parts, different) => {
    expect(of(...parts)).toEqual({ ...all, ...different });
  });

  test('a requirement that is not met names a finding of the report', () => {
    for (const [, parts] of rows) {
      const report = makeReport(facts(...parts), '2026-11-20T12:00:02.000Z');
      const ids = new Set(report.findings.map(({ id }) => id));
      const { missing } = report.message.compliance?.gmail.bulk ?? { missing: [] };
      for (const id of missing) expect(ids).toContain(id);
    }
  });
});

/** Verdicts that an email can have: each check in one of its states, unknown, or left out. */
const verdictOf = (id: string, at: number | 'unknown'): Verdict => {
  const check = findCheck(id) as Check;
  const state = at === 'unknown' ? null : (check.states.at(at) ?? null);
  const { area, title } = check;
  const finding = { id, area, title, severity: state?.severity ?? 'info' } as const;
  return { check, state, finding };
};
const asMap = (all: readonly Verdict[]) => new Map(all.map((one) => [one.check.id, one]));
const passing = checks.map(({ id }) => verdictOf(id, -1));
const withState = (ids: readonly string[], at: number | 'unknown') =>
  asMap(passing.map((one) => (ids.includes(one.check.id) ? verdictOf(one.check.id, at) : one)));
const decidedBy = ({ all, any = [] }: Requirement) => [...all, ...any].map(({ id }) => id);

describe('each requirement', () => {
  const named = requirements.map((row) => [`${row.receiver} ${row.scope} ${row.id}`, row] as const);
  const measurable = named.filter(([, row]) => decidedBy(row).length > 0);

  test.each(measurable)('%s is met, not met with what is missing, or not observable', (_, row) => {
    const ids = decidedBy(row);
    expect(judgeRequirement(row, asMap(passing))).toEqual({ status: 'met' });
    expect(judgeRequirement(row, withState(ids, 0))).toMatchObject({
      status: 'not_met',
      missing: [expect.any(String), ...ids.slice(1)],
    });
    expect(judgeRequirement(row, withState(ids, 'unknown'))).toMatchObject({
      status: 'not_observable',
    });
  });

  test.each(named.filter(([, row]) => decidedBy(row).length === 0))(
    '%s cannot be shown by one email',
    (_, row) => {
      expect(judgeRequirement(row, asMap(passing))).toMatchObject({
        status: 'not_observable',
        missing: [row.id],
      });
    },
  );

  test.each(named)('%s names its source and its date', (_, { source, since }) => {
    expect(source).toMatch(/^https:\/\//);
    expect(since).toMatch(/^20\d\d-\d\d-\d\d$/);
  });
});

const oneState = checks.flatMap(({ id, states }) =>
  states.map(({ name }, at) => [id, name, at] as const),
);

test.each(oneState)(
  'with %s at %s, no A appears next to a requirement that is not met',
  (id, _, at) => {
    const all = withState([id], at);
    const severity = all.get(id)?.finding.severity;
    const isOpen = severity !== undefined && findCheck(id)?.opensOn.includes(severity);
    const verdicts = [...all.values()].filter(({ check }) => isOpen || check.gate !== id);
    const { apple, requirements: rows = [] } = complianceOf(verdicts);
    const missed = [...rows, ...(apple?.requirements ?? [])].filter(
      ({ status }) => status === 'not_met',
    );
    if (missed.length > 0) expect(scoreOf(verdicts).grade, JSON.stringify(missed)).not.toBe('A');
  },
);

const anyVerdicts = fc
  .tuple(
    ...checks.map(({ id, states }) =>
      fc.option(
        fc
          .oneof(fc.constant('unknown' as const), fc.nat({ max: states.length - 1 }))
          .map((at) => verdictOf(id, at)),
        { freq: 8 },
      ),
    ),
  )
  .map((all) => all.filter((one) => one !== null));

test('a requirement that is not met names what is missing, and nothing that could not be seen, whatever the findings', () => {
  fc.assert(
    fc.property(anyVerdicts, (verdicts) => {
      const { gmail, yahoo, microsoft, requirements: rows } = complianceOf(verdicts);
      const sums = [
        gmail.all_senders,
        gmail.bulk,
        yahoo.all_senders,
        yahoo.bulk,
        microsoft.high_volume,
      ];
      const unseen = new Set(verdicts.filter(({ state }) => !state).map(({ check }) => check.id));
      for (const { status, missing } of [...sums, ...(rows ?? [])]) {
        expect(missing.length > 0).toBe(status !== 'met');
        if (status === 'not_met') expect(missing.filter((id) => unseen.has(id))).toEqual([]);
      }
    }),
  );
});

test('one-click is met only if its findings pass, or ask for nothing', () => {
  const wanted = ['list_unsubscribe', 'one_click', 'one_click_signed'];
  fc.assert(
    fc.property(anyVerdicts, (verdicts) => {
      const rows = complianceOf(verdicts).requirements ?? [];
      const met = rows.filter(({ id, status }) => id === 'one_click' && status === 'met');
      if (met.length === 0) return;
      for (const { check, state } of verdicts) {
        if (!wanted.includes(check.id)) continue;
        expect(state?.suggest, check.id).toBeUndefined();
        expect(['pass', 'info']).toContain(state?.severity);
      }
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['incomplete', 'not_met'],
  ['perhaps_needed', 'partly_observable'],
  ['not_needed', 'met'],
] as const)('where one_click is %s, bulk is %s', (state, status) => {
  const at = findCheck('one_click')?.states.findIndex(({ name }) => name === state) ?? -1;
  const verdicts = [...withState(['one_click'], at).values()];
  expect(complianceOf(verdicts).gmail.bulk.status).toBe(status);
});
