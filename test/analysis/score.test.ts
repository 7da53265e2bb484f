/**
 * Tests how the score, the grade and the range for unknown facts are computed from the findings,
 * and that an improvement never lowers the score.
 */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Check, State } from '../../src/analysis/check.ts';
import { checks, findCheck } from '../../src/analysis/checks.ts';
import type { Facts } from '../../src/analysis/facts.ts';
import { unknown, unseen } from '../../src/analysis/lookup-result.ts';
import { makeReport } from '../../src/analysis/report.ts';
import { doubtOf, type Scorable, scoreOf } from '../../src/analysis/score.ts';
import { gradeOf } from '../../src/domain/report/score-text.mjs';
import { bulkMail, facts, type Part, signed } from '../support/mail/facts.ts';
import { linkDomain } from './links/facts.ts';

const AT = '2026-11-20T12:00:02.000Z';

const dkim = (...signatures: ReturnType<typeof signed>[]): Part<Facts> => ({
  dkim: { value: { signatures, total: signatures.length } },
});
const policyNone: Part<Facts> = { dmarc: { value: { report: { effective_policy: 'none' } } } };
const noRua: Part<Facts> = { dmarc: { value: { report: { rua: [] } } } };
const noDmarc: Part<Facts> = {
  dmarc: { value: { anyRecord: false, report: { policy: null }, tags: [] } },
};
const unsigned: Part<Facts> = { ...dkim(), dmarc: { value: { dkimAligned: false } } };
const listed: Part<Facts> = { connection: { spamcop: { value: 'listed' } } };
const pool: Part<Facts> = {
  connection: { forward: { value: { confirmedNames: ['o1.ptr1.sendgrid.net'] } } },
};

/** The examples on the method page: the scores that a sender may expect. */
const examples: [string, number, string, ...Part<Facts>[]][] = [
  ['nothing wrong', 100, 'A'],
  ['everything right, DMARC p=none', 97, 'A', policyNone],
  ['SpamCop-listed shared pool', 96, 'A', listed, pool],
  [
    'own server, 1024-bit key, p=none, no rua',
    92,
    'A',
    dkim(signed({ report: { key_bits: 1024 } })),
    policyNone,
    noRua,
  ],
  [
    'bulk without List-Unsubscribe-Post',
    89,
    'B',
    bulkMail,
    { headers: { value: { listUnsubscribe: { post: false } } } },
  ],
  ['a plaintext hop', 89, 'B', { connection: { tls: { status: 'plaintext' } } }],
  [
    '130 KB HTML, images without alt, a shortener',
    89,
    'B',
    { content: { value: { content: { html_bytes: 130 * 1024, images_without_alt: 1 } } } },
    { links: { value: { shorteners: ['bit.ly'] } } },
  ],
  ['no DKIM, SPF aligned, p=none', 70, 'C', unsigned, policyNone],
  ['SpamCop-listed own IP', 59, 'D', listed],
  ['no PTR', 59, 'D', { connection: { ptr: { value: [] } } }],
  [
    "a provider's shared domain: passes, unaligned, no DMARC",
    56,
    'D',
    noDmarc,
    { dmarc: { value: { spfAligned: false, dkimAligned: false } } },
  ],
  [
    'a script on a VPS: no DKIM, no DMARC, generic PTR, HTML only, bad Message-ID domain',
    44,
    'D',
    noDmarc,
    unsigned,
    { connection: { ptr: { value: ['192-0-2-25.vps.example'] } } },
    { content: { value: { textAlternative: 'html_only' } } },
    { headers: { value: { messageId: { domainOdd: true } } } },
  ],
  [
    'a flagged link domain',
    39,
    'F',
    { webRisk: { hosts: { [linkDomain.host]: { threats: ['MALWARE'], expiresAt: null } } } },
  ],
];

test.each(examples)('%s: %i, %s', (_, score, grade, ...parts) => {
  expect(makeReport(facts(...parts), AT)).toMatchObject({ score, grade });
});

test.each([
  [100, 'A'],
  [90, 'A'],
  [89, 'B'],
  [75, 'B'],
  [74, 'C'],
  [60, 'C'],
  [59, 'D'],
  [40, 'D'],
  [39, 'F'],
  [0, 'F'],
])('%i is grade %s', (score, grade) => {
  expect(gradeOf(score)).toBe(grade);
});

const checkOf = (id: string) => findCheck(id) as Check;
const at = (id: string, rung: number): Scorable => ({
  check: checkOf(id),
  state: checkOf(id).states.at(rung) ?? null,
});

describe('the sum', () => {
  test('charges a family no more than its cap', () => {
    const { penalties } = scoreOf([at('dkim_valid', 0), at('dkim_key_size', 0)]);
    expect(penalties).toEqual([
      { family: 'dkim', points: 22, by: ['dkim_valid', 'dkim_key_size'] },
    ]);
  });

  test('is capped at 89 by a fail without a cap of its own', () => {
    expect(scoreOf([at('connection_tls', 0)])).toMatchObject({
      sum: 96,
      score: 89,
      cap: { value: 89, by: ['connection_tls'] },
    });
  });

  test('is limited by the lowest cap, and all that set it are named', () => {
    const { cap } = scoreOf([at('rdns_ptr', 0), at('spf_record', 0), at('dmarc_alignment', 1)]);
    expect(cap).toEqual({ value: 59, by: ['rdns_ptr', 'dmarc_alignment'] });
  });

  test('never falls below 0', () => {
    const worst = checks.map(({ id }) => at(id, 0));
    expect(scoreOf(worst)).toMatchObject({ score: 0, grade: 'F' });
    expect(scoreOf(worst).sum).toBeLessThan(0);
  });

  test('charges and caps nothing for what is unknown', () => {
    const unknown = checks.map((check) => ({ check, state: null }));
    expect(scoreOf(unknown)).toMatchObject({ score: 100, grade: 'A', cap: null });
  });
});

/** The position of each check's state, as if no gate were closed. */
type Rungs = Readonly<Record<string, number>>;

/**
 * In email that is not bulk, the unsubscribe checks report `info` where they report worse for bulk email.
 */
const mayHave = (row: Check, bulk: boolean) => (state: State) =>
  row.area !== 'unsubscribe' || (bulk ? state.severity !== 'info' : state.points === 0);

const environment = fc.boolean().chain((bulk) =>
  fc.record({
    bulk: fc.constant(bulk),
    rungs: fc.record(
      Object.fromEntries(
        checks.map((row) => {
          const places = row.states.flatMap((state, i) => (mayHave(row, bulk)(state) ? [i] : []));
          return [row.id, fc.constantFrom(...places)];
        }),
      ),
    ),
  }),
);

/** Returns the checks as the report shows them: those behind a closed gate are left out. */
function shown(rungs: Rungs): Scorable[] {
  const stateOf = (id: string) => checkOf(id).states[rungs[id] ?? 0] as State;
  return checks
    .filter(
      ({ gate }) => gate === undefined || checkOf(gate).opensOn.includes(stateOf(gate).severity),
    )
    .map((check) => ({ check, state: stateOf(check.id) }));
}

test('fixing one thing never lowers the score, whatever its gate then shows', () => {
  fc.assert(
    fc.property(environment, fc.constantFrom(...checks), fc.nat(), ({ bulk, rungs }, row, step) => {
      const better = row.states.flatMap((state, i) =>
        i > (rungs[row.id] ?? 0) && mayHave(row, bulk)(state) ? [i] : [],
      );
      fc.pre(better.length > 0);
      const next = better[step % better.length] ?? 0;

      const before = scoreOf(shown(rungs)).score;
      const after = scoreOf(shown({ ...rungs, [row.id]: next })).score;
      expect(after).toBeGreaterThanOrEqual(before);
    }),
    { numRuns: 2000 },
  );
});

describe('unknown facts', () => {
  test('could cost what they cost at their worst, and no set of states costs more', () => {
    const some = fc.record({ environment, open: fc.subarray(checks.map(({ id }) => id)) });
    fc.assert(
      fc.property(some, ({ environment: { rungs }, open }) => {
        const truth = shown(rungs);
        // Nothing is said about what a gate hides, not even that it is unknown.
        const seen = truth
          .filter(({ check }) => check.gate === undefined || !open.includes(check.gate))
          .map((one) => (open.includes(one.check.id) ? { ...one, state: null } : one));
        const { lowest = scoreOf(seen).score, by = [] } = doubtOf(seen) ?? {};
        expect(lowest).toBeLessThanOrEqual(scoreOf(truth).score);
        expect(lowest).toBeLessThanOrEqual(scoreOf(seen).score);
        for (const id of by) expect(open).toContain(id);
      }),
      { numRuns: 2000 },
    );
  });

  const breakdown = (...parts: Part<Facts>[]) =>
    makeReport(facts(...parts), AT).score_breakdown?.unknown;
  const silent = unknown('dns: no answer');

  test('are left out if everything is known', () => {
    expect(breakdown()).toBeUndefined();
  });

  test('are a doubt of as much as the check, and what it hides, can cost', () => {
    const one = breakdown({ connection: { ptr: silent } });
    expect(one).toEqual({ lowest_score: 59, findings: ['rdns_ptr'], not_counted: [] });
    const several = breakdown({ dmarc: silent }, { connection: { ptr: silent } });
    expect(several).toMatchObject({ lowest_score: 29 });
    expect(several?.findings.slice(0, 2)).toEqual(['dmarc_alignment', 'rdns_ptr']);
  });

  test('without a cost are no doubt, and what could never be seen is not counted', () => {
    const free = breakdown({ bimi: silent });
    expect(free).toEqual({ lowest_score: 100, findings: [], not_counted: [] });
    const unseeable = breakdown({ connection: { spamcop: unseen('spamcop: not checked') } });
    expect(unseeable).toEqual({
      lowest_score: 100,
      findings: [],
      not_counted: ['spamcop_listed'],
    });
  });

  test('do not include reverse DNS that no receiver could see for a private address', () => {
    const ip = '10.0.0.1';
    const own = breakdown({ names: { ip }, connection: { ip, ptr: silent, forward: silent } });
    expect(own).toMatchObject({ lowest_score: 100, not_counted: ['rdns_ptr', 'helo_matches_ptr'] });
  });
});

describe('improvements that must not lower the score', () => {
  const scored = (...parts: Part<Facts>[]) => makeReport(facts(...parts), AT).score;
  const clumsy: Part<Facts> = {
    headers: { value: { listUnsubscribe: { present: true, faults: ['http'], mailto: false } } },
  };

  test('a faulty List-Unsubscribe in email that is not bulk costs no more than a missing one', () => {
    expect(scored(clumsy)).toBe(scored());
  });

  test('List-Unsubscribe alone does not make email bulk', () => {
    const report = makeReport(facts(clumsy), AT);
    const bodies = report.findings.filter(({ area }) => area === 'unsubscribe');
    expect(bodies.map(({ severity }) => severity)).not.toContain('warn');
  });

  test('publishing a DMARC record costs no points', () => {
    const unaligned: Part<Facts> = { dmarc: { value: { spfAligned: false, dkimAligned: false } } };
    expect(scored(unaligned, policyNone, noRua)).toBeGreaterThan(scored(unaligned, noDmarc));
  });

  test('broken BIMI, MTA-STS, TLS-RPT and ARC cost as little as absent ones', () => {
    const broken: Part<Facts> = {
      bimi: { value: { recordFault: 'two records' } },
      arc: { value: { report: { result: 'fail' } } },
      transport: { mtaSts: { value: { state: 'broken' } }, tlsRpt: { value: { state: 'broken' } } },
    };
    expect(scored(broken)).toBe(100);
  });

  test('a broken rua= costs as much as a missing one', () => {
    const rua = [{ uri: 'mailto:d@x.example', external: true, authorized: false, has_mx: true }];
    expect(scored({ dmarc: { value: { report: { rua } } } })).toBe(scored(noRua));
  });

  test('adding an unsigned List-Unsubscribe-Post costs nothing', () => {
    const uncovered = dkim(signed({ coversListUnsubscribePost: false }));
    const post = (there: boolean): Part<Facts> => ({
      headers: { value: { listUnsubscribe: { post: there } } },
    });
    expect(scored(bulkMail, uncovered, post(true))).toBe(scored(bulkMail, uncovered, post(false)));
  });

  test.each([
    [{ bulk: { isBulk: true } }, 'List-Id:'],
    [{ bulk: { automated: true } }, 'Auto-Submitted: auto-generated'],
    [{ bulk: { automated: true, isResponse: true } }, 'Auto-Submitted: auto-replied'],
    [{ bulk: { precedence: 'other' } }, 'Remove the header Precedence'],
  ])('markers %j: only bulk email is asked to declare itself', (value, header) => {
    const report = makeReport(facts({ headers: { value } }), AT);
    expect(report.suggestions.find(({ id }) => id === 'bulk_markers')?.fix).toContain(header);
  });
});
