import { expect, test } from 'vitest';
import { findNatsServer } from '../../../src/setup/nats-server.mjs';
import { judge } from './history/judge.ts';
import { runRound } from './history/round.ts';
import { describeRound } from './history/soak-history.ts';

/** First sets a clock back by hours, and kills the nats-server meanwhile. */
const SEED = 2107;

test('a small round under faults: what clients were answered is what the log holds', async () => {
  const log: string[] = [];
  const history = await runRound({
    seed: SEED,
    seconds: 9,
    tests: 16,
    faults: 4,
    clients: 4,
    cluster: false,
    // Too short to pay in: `npm run lab -- soak history` has longer testHistories.
    retentionSeconds: 6,
    env: { PATH: process.env.PATH, NATS_SERVER_BIN: findNatsServer().bin },
    onLog: (line) => log.push(line),
  });
  const violations = judge(history);
  expect(violations, describeRound(SEED, history, violations)).toEqual([]);

  const answered = Map.groupBy(history.operations, ({ kind }) => kind);
  expect(answered.get('created')?.length).toBeGreaterThan(0);
  expect(answered.get('polled')?.length).toBeGreaterThan(10);
  expect(answered.get('mailed')?.length).toBeGreaterThan(0);
  expect(history.faults.map(({ name }) => name)).toContain('set a clock back');
});
