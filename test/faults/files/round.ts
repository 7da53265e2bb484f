/**
 * Plays one round: writes a log, damages its files, and compares the responses, after an operator's action if
 * the service does not start.
 */

import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeAll } from '../../../src/operator/replay/close-payment.ts';
import { patiently } from '../../../src/operator/replay/concurrently.ts';
import type { Source } from '../../../src/operator/replay/source.ts';
import { type Prng, prng } from '../../support/prng/prng.ts';
import { T0 } from '../../support/process/instants.ts';
import {
  type Answers,
  askPatiently,
  type StorageReplica,
  withReplica,
  writeTests,
} from './a-log.ts';
import { compareAll, isAccepted, worstOf, wrongOf } from './compare.ts';
import { DAMAGES, type DamageKind, damage, isMistake, mistake } from './damages.ts';
import { chain } from './histories.ts';
import type { Cluster, ClusterNode } from './nats-cluster.ts';

const EARLIER = 12;
const LATER = 12;

/** Number of flips on one node of three, because the other copies usually heal a single one. */
const FLIPS = 16;

/** Largest number of replicas that may read before one of them reads a damaged copy. */
const READERS = 8;

/** The outcome for a log whose files were damaged. */
interface Outcome {
  readonly what: string;
  /** Responses that should not have been given. */
  readonly wrong: readonly string[];
}

/**
 * Writes a log, damages the files of its nodes while they are down, and asks everything again: first while a
 * damaged node leads, then while each does.
 */
export async function storageRound(
  cluster: Cluster,
  seed: number,
  only?: DamageKind,
): Promise<Outcome> {
  const random = prng(seed);
  const folder = await mkdtemp(join(tmpdir(), 'storage-'));
  const file = join(folder, 'high-water.json');
  const { hurt, down } = chooseNodes(cluster, random);
  const stop = async (nodes: readonly ClusterNode[]) => {
    const isKilled = random.chance(0.5);
    await Promise.all(nodes.map((node) => (isKilled ? node.kill() : node.stop())));
    return isKilled ? 'killed' : 'stopped';
  };
  const olderDirOf = ({ name }: ClusterNode) => join(folder, name);
  try {
    await withReplica(cluster, (replica) => writeTests(replica, 0, EARLIER), { file });
    await stop(hurt);
    for (const node of hurt) await cp(node.storeDir, olderDirOf(node), { recursive: true });
    await Promise.all(hurt.map((node) => node.start()));
    await cluster.settled();

    const before = await withReplica(
      cluster,
      async (replica) => {
        await writeTests(replica, EARLIER, LATER);
        return askPatiently(replica, EARLIER + LATER);
      },
      { file },
    );
    const kind = only ?? random.pick(DAMAGES);
    let what = isMistake(kind) ? await mistake(cluster.connection, kind, random) : '';
    const ended = await stop(down);
    if (!isMistake(kind)) {
      const flips = cluster.replicas === 1 ? 1 : FLIPS;
      const choices = random.integer(0, 2 ** 32 - 1);
      // Every node gets the same damage, because nobody may be left with what a majority has lost.
      for (const node of hurt)
        what = await damage(
          { storeDir: node.storeDir, olderDir: olderDirOf(node), flips },
          kind,
          prng(choices),
        );
    }
    const started = await Promise.allSettled(down.map((node) => node.start()));
    const dead = started.filter(({ status }) => status === 'rejected').length;
    const hurtNames = hurt.map(({ name }) => name);
    const on =
      cluster.replicas > 1 ? `, ${hurt.length} hurt, ${down.length} ${ended}` : `, ${ended}`;
    // The nats-servers themselves refuse such a store, so there is nothing to ask.
    if (dead * 2 > cluster.replicas) return { what: `${what}${on}`, wrong: [] };
    const ask = asking(before);
    // The replica also asks while nodes still copy what they lack, whichever of them leads.
    const early =
      cluster.replicas > 1 && (await withReplica(cluster, ask, { file }).catch(() => undefined));
    await cluster.settled();
    await cluster.lead(hurtNames[0] ?? '');
    const asked = { what, file, hurt: hurtNames };
    const late = await serveAgain(cluster, before, asked);
    const wrong = early ? wrongOf(compareAll(before, early)).map((one) => `early: ${one}`) : [];
    return { what: `${what}${on}`, wrong: [...wrong, ...late] };
  } finally {
    await cluster.clear();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Chooses one or two of three nodes to damage, while the others run or all are down. */
function chooseNodes({ nodes }: Cluster, random: Prng) {
  const victim = random.pick(nodes);
  const others = nodes.filter((node) => node !== victim);
  if (others.length === 0) return { hurt: nodes, down: nodes };
  const hurt = random.chance(0.5) ? [victim] : [victim, random.pick(others)];
  return { hurt, down: random.chance(0.5) ? hurt : nodes };
}

/** Runs `replay close` for what is paid on the chain but missing in the log. */
const closePayments = (source: Source) =>
  closeAll(
    source,
    { now: T0 + 120_000, apply: true, chain, transaction: undefined, unpaid: false },
    () => {},
  );

const asking = (before: ReadonlyMap<string, Answers>) => (replica: StorageReplica) =>
  askPatiently(replica, before.size);

async function serveAgain(
  cluster: Cluster,
  before: ReadonlyMap<string, Answers>,
  {
    what,
    file,
    hurt,
  }: {
    readonly what: string;
    readonly file: string;
    readonly hurt: readonly string[];
  },
): Promise<readonly string[]> {
  const isAlone = cluster.replicas === 1;
  const ask = asking(before);
  // A node may not have caught up. An operator accepts a loss only once all have.
  const askAgain = async () => (isAlone ? undefined : cluster.settled().then(askDamaged));
  const served = await askDamaged()
    .catch(askAgain)
    .catch(() => undefined);
  // An operator's action on a log with which the service does not start.
  if (!served)
    await withReplica(cluster, async () => {}, { file, prepare: closePayments }).catch(() => {});

  const wrong = served ? [...wrongOf(served)] : [];
  for (const { name } of cluster.nodes) {
    await cluster.settled();
    await cluster.lead(name);
    const answered = await patiently(() => withReplica(cluster, ask, { file })).catch(() => before);
    wrong.push(
      ...wrongOf(compareAll(before, answered))
        .filter((one) => served || !isAccepted(what, one))
        .map((one) => `afterwards, ${name} leads: ${one}`),
    );
  }
  return wrong;

  /**
   * Repeats until a replica has read the copy of a damaged node, because the server chooses which one it
   * follows. For each test, the worst of the responses counts.
   */
  async function askDamaged() {
    const all: ReadonlyMap<string, string>[] = [];
    for (let n = 0; n < READERS; n++) {
      let reads: string | undefined;
      const answers = await withReplica(
        cluster,
        async (replica) => {
          reads = await cluster.readsOn();
          return ask(replica);
        },
        { file },
      );
      all.push(compareAll(before, answers));
      if (isAlone || hurt.includes(reads ?? '')) break;
    }
    const ids = [...before.keys()];
    return new Map(ids.map((id) => [id, worstOf(all.map((one) => one.get(id) ?? ''))]));
  }
}
