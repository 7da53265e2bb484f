import type { LogConnection } from '../../../../src/adapters/nats/connection.ts';
import { prng } from '../../../support/prng/prng.ts';
import { askPatiently, withReplica } from './a-log.ts';
import { flipMessages, type Place } from './damages.ts';
import { idOf, KINDS, type KindName, writeHistory } from './histories.ts';
import type { Cluster, ClusterNode } from './nats-cluster.ts';
import { compareAll, repairAll } from './round.ts';

/** What became of a test one message of which was damaged. */
export interface Fate {
  readonly kind: KindName;
  /** Its stream, and the type of its event; empty: nothing of this test was damaged. */
  readonly message: string;
  /** `same`, `frozen`, or what is wrong: where the damaged copy leads, and after the repair, whichever does. */
  readonly damaged: string;
  readonly repaired: string;
}

interface Stored extends Place {
  readonly message: string;
}

const STREAMS = ['TESTS', 'REPORTS', 'PAYMENTS', 'KV_status', 'KV_reports', 'KV_payment_claims'];

export const ALL_KINDS = Object.keys(KINDS) as readonly KindName[];

/** The messages that there are, by the test that each is about. */
export async function storedMessages({
  js,
}: LogConnection): Promise<ReadonlyMap<string, readonly Stored[]>> {
  const found: (readonly [string, Stored])[] = [];
  for (const stream of STREAMS) {
    const consumer = await js.consumers.get(stream);
    const { num_pending } = await consumer.info();
    if (num_pending === 0) continue;
    for await (const message of await consumer.fetch({ max_messages: num_pending })) {
      const { seq, subject, data } = message;
      // What a deletion leaves.
      if (data.length === 0) continue;
      const { type = '', id = '' } = message.json<{ type?: string; id?: string }>();
      const owner = stream === 'KV_payment_claims' ? id : (subject.split('.').at(-1) ?? '');
      found.push([owner, { stream, seq, subject, message: `${stream} ${type}`.trim() }]);
    }
  }
  const groups = Map.groupBy(found, ([owner]) => owner);
  return new Map([...groups].map(([owner, all]) => [owner, all.map(([, one]) => one)]));
}

/**
 * Of each kind of test as many as it has messages, and one more: of each another message is flipped on
 * one node, all at once, and of the first none. Then that node leads; then `repair` runs, and each leads.
 */
export async function everyMessage(
  cluster: Cluster,
  victim: ClusterNode,
  seed: number,
  names = ALL_KINDS,
): Promise<readonly Fate[]> {
  const { connection, nodes } = cluster;
  const random = prng(seed);
  const kinds = [...names];
  const writeFrom = (first: number) =>
    withReplica(cluster, async (replica) => {
      await cluster.settled();
      for (const [n, kind] of kinds.entries()) if (n >= first) await writeHistory(replica, kind, n);
      await replica.projected();
      return askPatiently(replica, kinds.length);
    });
  try {
    await writeFrom(0);
    const counted = await storedMessages(connection);
    for (const [n, kind] of names.entries())
      kinds.push(...Array.from(counted.get(idOf(n)) ?? [], () => kind));
    const before = await writeFrom(names.length);
    const stored = await storedMessages(connection);
    const flipped = kinds.map((kind, n) => {
      const nth = n - kinds.indexOf(kind, names.length);
      return n < names.length ? undefined : stored.get(idOf(n))?.[nth];
    });
    // A node that was killed reads its files again and copies from the others what it cannot read; one by itself
    // cuts off what follows. That is what the rounds are about.
    await victim.stop();
    await flipMessages(
      victim.storeDir,
      flipped.filter((one) => one !== undefined),
      random,
    );
    await victim.start();
    await cluster.settled();

    await cluster.lead(victim.name);
    const ask = () => withReplica(cluster, (replica) => askPatiently(replica, kinds.length));
    const damaged = compareAll(before, await ask());
    await cluster.settled();
    await withReplica(cluster, repairAll);
    const repaired: ReadonlyMap<string, string>[] = [];
    for (const { name } of nodes) {
      await cluster.lead(name);
      await cluster.settled();
      repaired.push(compareAll(before, await ask()));
    }
    return kinds.map((kind, n) => ({
      kind,
      message: flipped[n]?.message ?? '',
      damaged: damaged.get(idOf(n)) ?? '',
      repaired: worstOf(repaired.map((one) => one.get(idOf(n)) ?? '')),
    }));
  } finally {
    await cluster.clear();
  }
}

const worstOf = (outcomes: readonly string[]) =>
  outcomes.find((one) => one !== 'same' && one !== 'frozen') ??
  (outcomes.includes('frozen') ? 'frozen' : 'same');
