import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Repair } from '../../../../src/cli/replay/repair-tests.ts';
import { prng } from '../../../support/prng/prng.ts';
import {
  type Answers,
  askAll,
  type StorageReplica,
  type StorageSource,
  startReplica,
  writeTests,
} from './a-log.ts';
import { DAMAGES, damage, isMistake, mistake } from './damages.ts';
import type { Cluster } from './nats-cluster.ts';
import { compareAll, EARLIER, LATER, type Outcome, repairAll } from './round.ts';

/**
 * As `storageRound`, of one of three nodes: what is damaged leads the streams then, and after the
 * repair each node does. All of them have to answer as before.
 */
export async function clusterRound(cluster: Cluster, seed: number): Promise<Outcome> {
  const random = prng(seed);
  const folder = await mkdtemp(join(tmpdir(), 'storage-'));
  const olderDir = join(folder, 'older');
  const victim = random.pick(cluster.nodes);
  const stop = () => (random.chance(0.5) ? victim.kill() : victim.stop());
  try {
    await withReplica(cluster, (replica) => writeTests(replica, 0, EARLIER));
    await stop();
    await cp(victim.storeDir, olderDir, { recursive: true });
    await victim.start();
    await cluster.settled();

    const before = await withReplica(cluster, async (replica) => {
      await writeTests(replica, EARLIER, LATER);
      return askAll(replica, EARLIER + LATER);
    });
    const kind = random.pick(DAMAGES);
    const mistaken = isMistake(kind) ? await mistake(cluster.connection, kind, random) : '';
    await stop();
    const { storeDir } = victim;
    const what = isMistake(kind) ? mistaken : await damage({ storeDir, olderDir }, kind, random);
    await victim.start();
    await cluster.settled();
    await cluster.lead(victim.name);
    return { what, ...(await serveAgain(cluster, before)) };
  } finally {
    await cluster.clear();
    await rm(folder, { recursive: true, force: true });
  }
}

async function withReplica<T>(
  cluster: Cluster,
  work: (replica: StorageReplica) => Promise<T>,
  prepare?: (source: StorageSource) => Promise<unknown>,
): Promise<T> {
  const replica = await startReplica(cluster, undefined, prepare);
  try {
    await replica.follower.ready;
    const done = await work(replica);
    await replica.projected();
    await replica.noteMarks();
    return done;
  } finally {
    await replica.stop();
  }
}

async function serveAgain(
  cluster: Cluster,
  before: ReadonlyMap<string, Answers>,
): Promise<Omit<Outcome, 'what'>> {
  let repairs: readonly Repair[] = [];
  const ask = (replica: StorageReplica) => askAll(replica, before.size);
  /** Again where a leader that has just been chosen does not answer yet. */
  async function askPatiently(replica: StorageReplica) {
    for (let n = 0; ; n++) {
      const answers = await ask(replica);
      const isAway = [...answers.values()].some(({ status, report }) =>
        `${status} ${report}`.includes('503 log_unavailable'),
      );
      if (!isAway || n === 5) return answers;
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
  const repair = async (source: StorageSource) => {
    repairs = await repairAll(source);
  };
  const nothing = { same: 0, frozen: before.size, wrong: [] };
  const answers = await withReplica(cluster, ask).catch(() => undefined);
  const damaged = answers ? compareAll(before, answers) : nothing;
  await withReplica(cluster, async () => {}, repair);

  const wrong = [...damaged.wrong];
  const left: string[] = [];
  let same = before.size;
  for (const { name } of cluster.nodes) {
    await cluster.lead(name);
    const answered = await withReplica(cluster, askPatiently);
    const after = compareAll(before, answered);
    same = Math.min(same, after.same);
    wrong.push(...after.wrong.map((one) => `repaired, ${name} leads: ${one}`));
    for (const [id, { status, report }] of answered)
      if (`${status}${report}`.includes('503 '))
        left.push(`${name} leads: ${id}: ${status.slice(0, 60)} / ${report.slice(0, 60)}`);
  }
  left.push(...repairs.filter((one) => !one.repaired).map((one) => `${one.subject}: ${one.why}`));
  return {
    ended: answers ? 'served' : 'refused',
    ...{ same: damaged.same, frozen: damaged.frozen, healed: same - damaged.same, left, wrong },
  };
}
