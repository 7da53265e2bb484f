import { expect, test } from 'vitest';
import { findNatsServer } from '../../../src/setup/nats-server.mjs';
import { rehearsals } from './rehearsals.ts';
import { runRehearsal } from './run.ts';

test('replicas and a node are replaced under load, and nothing is lost', async () => {
  const rehearse = rehearsals['rolling-upgrade'];
  if (!rehearse) throw new Error('There is no such rehearsal.');
  const { lost, paid, requests } = await runRehearsal(rehearse, {
    env: { PATH: process.env.PATH, NATS_SERVER_BIN: findNatsServer().bin },
    brief: true,
    from: undefined,
    print: () => {},
    onLog: () => {},
  });
  expect(lost).toEqual([]);
  expect(paid).toBeGreaterThan(8);
  expect(requests).toBeGreaterThan(40);
});
