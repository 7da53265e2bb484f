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

/** On a node of three, whose other copies heal a single one more often than not. */
const FLIPS = 16;

/** Replicas that may read before one of them reads a damaged copy. */
const READERS = 8;

/** What became of a log whose files were damaged. */
interface Outcome {
  readonly what: string;
  /** Answers that should not have been given. */
  readonly wrong: readonly string[];
}

/**
 * Writes a log, damages the files of its nodes while they are down, and asks everything again: where
 * a damaged node leads, and then where each does.
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
      // The same on each: what a majority has lost, nobody may be left to give.
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
    // The nats-servers themselves refuse such a store: there is nothing to ask.
    if (dead * 2 > cluster.replicas) return { what: `${what}${on}`, wrong: [] };
    const ask = asking(before);
    // While nodes still copy what they lack, whichever leads.
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

/** Of three nodes one or two are hurt, while the others go on or all are down. */
function chooseNodes({ nodes }: Cluster, random: Prng) {
  const victim = random.pick(nodes);
  const others = nodes.filter((node) => node !== victim);
  if (others.length === 0) return { hurt: nodes, down: nodes };
  const hurt = random.chance(0.5) ? [victim] : [victim, random.pick(others)];
  return { hurt, down: random.chance(0.5) ? hurt : nodes };
}

/** `replay close`: what is paid for on the chain, and not in the log. */
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
  // A node may not have caught up: nobody accepts a loss before all have.
  const askAgain = async () => (isAlone ? undefined : cluster.settled().then(askDamaged));
  const served = await askDamaged()
    .catch(askAgain)
    .catch(() => undefined);
  // What an operator does about a log on which the service does not start.
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
   * Until a replica has read the copy of a damaged node: which one it follows is the server's choice. Of each
   * test the worst of what the replicas answered.
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
