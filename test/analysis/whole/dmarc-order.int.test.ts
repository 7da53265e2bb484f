import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Action } from '../../../src/domain/report/action.ts';
import { applyActions } from './apply-actions.ts';
import { startWholeEnvironment, type WholeEnvironment } from './environment.ts';
import type { Situation } from './publish.ts';
import { dmarc } from './zone.ts';

let environment: WholeEnvironment;
beforeAll(async () => {
  environment = await startWholeEnvironment();
});
afterAll(() => environment.stop());

const RUA = 'rua=mailto:dmarc@example.com';

/** Every choice of one tag of each kind, right or wrong. */
const records = ['p=none', 'p=quarantine; sp=none', 'p=rejct', 'p=reject; t=y', 'p=none; sp=none']
  .flatMap((policy) =>
    ['', 'rua=dmarc@example.com', RUA, `${RUA},dmarc@example.com`].map((rua) => [policy, rua]),
  )
  .flatMap((tags) => ['', 'foo=bar; pct=50'].map((more) => [...tags, more]))
  .map((tags) => ['v=DMARC1', ...tags].filter(Boolean).join('; '));

const fixesOf = async (one: Situation) => {
  const { report } = await environment.analyze(one);
  return {
    score: report.score,
    fixes: report.findings.filter(({ actions = [] }) =>
      actions.some(({ name }) => name === '_dmarc.example.com'),
    ),
  };
};

/** What can be done today: what follows a question has to wait for its answer. */
const today = (actions: readonly Action[]): readonly Action[] => {
  const asked = actions.findIndex(({ kind }) => kind === 'ask');
  return asked < 0 ? actions : actions.slice(0, asked);
};

const recordOf = ({ zone }: Situation) => zone?.['_dmarc.example.com'];

const orders = {
  'in printed order': <T>(all: readonly T[]) => all,
  'in reverse': <T>(all: readonly T[]) => all.toReversed(),
};

describe.each(Object.entries(orders))('fixes of one report, followed %s', (_, order) => {
  test.each(records)('%s: none undoes another, none costs points', async (record) => {
    let now: Situation = { zone: dmarc(record) };
    const published = recordOf(now);
    let { score, fixes } = await fixesOf(now);
    for (const { id, fix = '', actions = [] } of order(fixes)) {
      const before = now;
      now = applyActions(now, today(actions));
      const after = await fixesOf(now);
      expect(after.score, `${id}: ${fix}`).toBeGreaterThanOrEqual(score);
      // All print the same record: what the first one published stays.
      if (recordOf(before) !== published && recordOf(now) !== recordOf(before))
        expect(recordOf(now), `${id}: ${fix}`).toEqual(recordOf(before));
      score = after.score;
    }
    // What is left is a policy to raise, one step after the other.
    for (let steps = 0; steps < 4; steps++) {
      ({ fixes } = await fixesOf(now));
      const [first] = order(fixes);
      if (!first) break;
      expect(new Set(fixes.map(({ id }) => id)).difference(RAISES).size).toBe(0);
      now = applyActions(now, first.actions ?? []);
      const after = await fixesOf(now);
      expect(after.score, first.fix).toBeGreaterThanOrEqual(score);
      score = after.score;
    }
    expect(recordOf(now)).toMatchObject({ TXT: [expect.stringContaining('p=reject')] });
    expect(score).toBe(100);
  });
});

const RAISES = new Set(['dmarc_policy', 'dmarc_subdomain_policy', 'bimi_dmarc_ready']);
