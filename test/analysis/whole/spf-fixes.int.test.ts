import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Finding } from '../../../src/domain/report/report.ts';
import { IP } from '../../support/mail/inspection-environment.ts';
import { applyActions } from './apply-actions.ts';
import { type Analysis, startWholeEnvironment, type WholeEnvironment } from './environment.ts';
import type { Situation } from './publish.ts';
import { spf } from './zone.ts';

let environment: WholeEnvironment;
beforeAll(async () => {
  environment = await startWholeEnvironment();
});
afterAll(() => environment.stop());

/** An IP that no record here speaks of. */
const FOREIGN = '203.0.113.77';

/** What terms may lead to. */
const PLACES = {
  'open.example.com': { TXT: ['v=spf1 +all'] },
  'soft.example.com': { TXT: ['v=spf1 ip4:192.0.2.1 ~all'] },
  'sound.example.com': { TXT: [`v=spf1 ip4:${IP} -all`] },
  'twice.example.com': { TXT: ['v=spf1 -all', 'v=spf1 ~all'] },
  'broken.example.com': { TXT: ['v=spf1 foo -all'] },
};

const FAULTS = [
  ';',
  '?all',
  'all',
  '-',
  '~ all',
  '\u2013all',
  'mx',
  'ptr',
  'foo',
  'a:',
  'mx all -all',
  'include:open.example.com',
  '?include:open.example.com',
  'includes:open.example.com',
  'include=open.example.com',
  'include:soft.example.com',
  'include:sound.example.com',
  'include:twice.example.com',
  'include:broken.example.com',
  'include:example.com',
  'redirect=open.example.com',
  'redirect=sound.example.com',
  'redirect=nothing.example.com',
  'ip4:0.0.0.0/0',
  `-ip4:${IP}`,
  `?ip4:${IP}`,
  `ip4:${IP}`,
  'ip4:192.0.2.300',
  'a:v1.example.com a:v2.example.com a:v3.example.com',
  Array.from({ length: 60 }, (_, i) => `ip4:198.51.${i}.0/24`).join(' '),
] as const;

const ENDS = ['', '-all', '~all', '\u2013all', '- all', '-all.', '?all', '+all'] as const;

/** Records of several faults, each beside many others: as `n` goes up, by steps without a common divisor. */
const records = Array.from({ length: 40 }, (_, n) => {
  const terms = [n, n * 7 + 3, n * 11 + 5].map((at) => FAULTS[at % FAULTS.length]);
  return ['v=spf1', ...terms.slice(n % 2), ENDS[n % ENDS.length]].join(' ').trim();
});

const situation = (record: string): Situation => ({ zone: { ...PLACES, ...spf(record) } });

const fixesOf = ({ report }: Analysis): readonly Finding[] =>
  report.findings.filter(({ id, actions = [] }) => {
    const isSpf = id.startsWith('spf_') && id !== 'spf_helo';
    return isSpf && actions.some(({ kind, operation }) => kind === 'dns' && operation !== 'do');
  });

const rung = ({ states }: Analysis, id: string) => Number(states[id]?.split(' ')[1] ?? 9);

test.each(records)('%s: each fix, in any order, corrects and undoes nothing', async (record) => {
  const one = situation(record);
  const before = await environment.analyze(one);
  const fixes = fixesOf(before);
  const foreign = { client: { ip: FOREIGN } };
  const openBefore = await environment.analyze({ ...one, ...foreign });

  for (const order of [fixes, fixes.toReversed()]) {
    let now = one;
    let { score } = before.report;
    for (const [n, { id, fix = '', actions = [] }] of order.entries()) {
      for (const { value } of actions) expect(value).not.toMatch(/ \+?all\b/i);
      now = applyActions(now, actions);
      const after = await environment.analyze(now);
      const why = `${id}: ${fix}`;
      expect(after.report.score, why).toBeGreaterThanOrEqual(score);
      for (const done of order.slice(0, n + 1))
        expect(rung(after, done.id), `${done.id} after ${why}`).toBeGreaterThan(
          rung(before, done.id),
        );
      ({ score } = after.report);
      if (openBefore.facts.spf.status !== 'known') throw new Error('the SPF facts are not known');
      const open = await environment.analyze({ ...now, ...foreign });
      if (open.facts.spf.status !== 'known') throw new Error('the SPF facts are not known');
      if (openBefore.facts.spf.value.report.result !== 'pass')
        expect(open.facts.spf.value.report.result, why).not.toBe('pass');
    }
  }
});
