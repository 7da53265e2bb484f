/** Damages one message of every kind, and compares how replicas respond. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { LogConnection } from '../../../src/adapters/nats/connection.ts';
import { reach } from '../../../src/adapters/nats/outage.ts';
import { prng } from '../../support/prng/prng.ts';
import { askPatiently, withReplica } from './a-log.ts';
import { compareAll, worstOf } from './compare.ts';
import { flipMessages, type Place, STREAMS } from './damages.ts';
import { idOf, KINDS, type KindName, writeHistory } from './histories.ts';
import type { Cluster, ClusterNode } from './nats-cluster.ts';

/** The outcome for a test of which one message was damaged. */
export interface Fate {
  readonly kind: KindName;
  /** The stream of the damaged message, and the type of its event. Empty if nothing of this test was damaged. */
  readonly message: string;
  /** `same`, `frozen`, or what is wrong, while the damaged copy leads. */
  readonly damaged: string;
  /**
   * Like `damaged` while another copy leads, on a replica that has read the damaged one. With one server,
   * equals `damaged`.
   */
  readonly elsewhere: string;
}

interface Stored extends Place {
  readonly message: string;
}

/** Time for an election, in milliseconds. */
const ELECTION_MS = 30_000;

/** Time within which a replica checks frozen tests again, in milliseconds. */
const ALIKE_MS = 10_000;

const ALL_KINDS = Object.keys(KINDS) as readonly KindName[];

/** Returns the stored messages, by the test that each is about. */
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
      // A deletion leaves empty data.
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
 * Writes as many tests of each kind as the kind has messages, and one more. On one node, a different message
 * is damaged in each of them, and none in the first. That node then leads, and after it the others, while the
 * same replica reads.
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
    // A killed node reads its files again and copies from the others what it cannot read. A single one cuts
    // off what follows. The rounds test that.
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
