import { setTimeout as sleep } from 'node:timers/promises';
import type { LogConnection } from '../../../src/adapters/nats/connection.ts';
import { reach } from '../../../src/adapters/nats/outage.ts';
import { prng } from '../../support/prng/prng.ts';
import { askPatiently, withReplica } from './a-log.ts';
import { compareAll, worstOf } from './compare.ts';
import { flipMessages, type Place, STREAMS } from './damages.ts';
import { idOf, KINDS, type KindName, writeHistory } from './histories.ts';
import type { Cluster, ClusterNode } from './nats-cluster.ts';

/** What became of a test one message of which was damaged. */
export interface Fate {
  readonly kind: KindName;
  /** Its stream, and the type of its event; empty: nothing of this test was damaged. */
  readonly message: string;
  /** `same`, `frozen`, or what is wrong, where the damaged copy leads. */
  readonly damaged: string;
  /** And where another one does, of a replica that has read the damaged one; of one server by itself, as `damaged`. */
  readonly elsewhere: string;
}

interface Stored extends Place {
  readonly message: string;
}

/** For an election, in milliseconds. */
const ELECTION_MS = 30_000;

/** Within which a replica has looked again at what it has frozen, in milliseconds. */
const ALIKE_MS = 10_000;

const ALL_KINDS = Object.keys(KINDS) as readonly KindName[];

/** The messages that there are, by the test that each is about. */
async function storedMessages({
  jsm,
}: LogConnection): Promise<ReadonlyMap<string, readonly Stored[]>> {
  const found: (readonly [string, Stored])[] = [];
  for (const stream of STREAMS) {
    const { last_seq } = (await reach(() => jsm.streams.info(stream), ELECTION_MS)).state;
    for (let n = 1; n <= last_seq; n++) {
      const message = await reach(() => jsm.streams.getMessage(stream, { seq: n }), ELECTION_MS);
      if (!message) continue;
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
 * one node, all at once, and of the first none. Then that node leads, and then the others do, of the same replica.
 */
export async function everyMessage(
  cluster: Cluster,
  victim: ClusterNode,
  seed: number,
): Promise<readonly Fate[]> {
  const { connection, nodes } = cluster;
  const random = prng(seed);
  const kinds = [...ALL_KINDS];
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
    for (const [n, kind] of ALL_KINDS.entries())
      kinds.push(...Array.from(counted.get(idOf(n)) ?? [], () => kind));
    const before = await writeFrom(ALL_KINDS.length);
    const stored = await storedMessages(connection);
    const flipped = new Map<number, Stored>();
    for (const [n, kind] of kinds.entries()) {
      const nth = n - kinds.indexOf(kind, ALL_KINDS.length);
      const one = n < ALL_KINDS.length ? undefined : stored.get(idOf(n))?.[nth];
      if (one) flipped.set(n, one);
    }
    await cluster.settled();
    // A node that was killed reads its files again and copies from the others what it cannot read; one by itself
    // cuts off what follows. That is what the rounds are about.
    await victim.stop();
    await flipMessages(victim.storeDir, [...flipped.values()], random);
    await victim.start();
    await cluster.settled();

    await cluster.lead(victim.name);
    const others = nodes.filter((node) => node !== victim);
    const [damaged = new Map<string, string>(), ...elsewhere] = await withReplica(
      cluster,
      async (replica) => {
        const compared = [compareAll(before, await askPatiently(replica, kinds.length))];
        for (const { name } of others) {
          await cluster.lead(name);
          await cluster.settled();
          await sleep(ALIKE_MS);
          compared.push(compareAll(before, await askPatiently(replica, kinds.length)));
        }
        return compared;
      },
    );
    const after = elsewhere.length > 0 ? elsewhere : [damaged];
    return kinds.map((kind, n) => ({
      kind,
      message: flipped.get(n)?.message ?? '',
      damaged: damaged.get(idOf(n)) ?? '',
      elsewhere: worstOf(after.map((one) => one.get(idOf(n)) ?? '')),
    }));
  } finally {
    await cluster.clear();
  }
}
