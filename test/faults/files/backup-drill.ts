import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { readEnds } from '../../../src/adapters/nats/high-water.ts';
import { startNats } from '../../support/log/nats-server.ts';
import { askAll, startReplica, writeTests } from './a-log.ts';
import { compareAll, sumUp } from './compare.ts';
import type { Cluster } from './nats-cluster.ts';

const cli = fileURLToPath(new URL('../../../src/operator.ts', import.meta.url));

/** Restores the backup of a server into an empty cluster; gives what differs. */
export async function drillBackup(to: Cluster, tests: number): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'backup-'));
  const from = await startNats();
  try {
    const checks = await drill({ tests, from, to, folder });
    return checks.flatMap(([what, holds]) => (holds ? [] : [`does not hold: ${what}`]));
  } finally {
    await from.end();
    await to.clear();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Drill {
  readonly tests: number;
  readonly from: { readonly url: string };
  readonly to: Cluster;
  readonly folder: string;
}

/** What must be so, and whether it is. */
async function drill({ tests, from, to, folder }: Drill) {
  const file = join(folder, 'log.jsonl');
  const old = await startReplica(from, join(folder, 'old.json'));
  await writeTests(old, 0, tests);
  await old.follower.ready;
  const before = await askAll(old, tests);
  await old.stop();
  const replay =
    (url: string, replicas: number) =>
    (...line: readonly string[]) =>
      run(line, { NATS_URL: url, NATS_REPLICAS: `${replicas}` });
  const [there, here] = [replay(from.url, 1), replay(to.url, to.replicas)];

  await there('backup', file);
  const restored = await here('restore', file);
  const ends = JSON.stringify(await readEnds(to.connection));
  const again = await here('restore', file);
  const replica = await startReplica(to, undefined);
  const { same } = sumUp(compareAll(before, await askAll(replica, tests)));
  await replica.stop();
  const counts = JSON.parse(restored);
  const [states, payments] = [await there('state'), await there('payments')];
  return [
    ['every history of the backup was restored', counts.left_out.length === 0],
    ['`replay state` is the same', states === (await here('state'))],
    ['`replay payments` is the same', payments === (await here('payments'))],
    [`of ${tests} tests ${same} answer status, report and receipt as before`, same === tests],
    [
      'a second restore stores nothing',
      JSON.parse(again).stored === 0 && ends === JSON.stringify(await readEnds(to.connection)),
    ],
    ['`replay verify` finds nothing', (await here('verify')) === ''],
  ] as const;
}

async function run(line: readonly string[], env: Readonly<Record<string, string>>) {
  const options = { env: { ...process.env, ...env }, maxBuffer: 2 ** 30 };
  const { stdout } = await promisify(execFile)(process.execPath, [cli, 'replay', ...line], options);
  return stdout;
}
