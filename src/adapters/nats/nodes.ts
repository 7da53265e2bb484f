import { setTimeout as sleep } from 'node:timers/promises';
import { type ConsumerInfo, DeliverPolicy, JetStreamError, type JsMsg } from '@nats-io/jetstream';
import type { LogConnection } from './connection.ts';
import { codeOf, codes, isOutage } from './outage.ts';
import { infoOf } from './read.ts';

/** Until each node has had a consumer, in milliseconds: the server chooses at random. */
const TRIES_MS = 30_000;

/** Consumers made before it is left alone for a second: it does not end a change of copies while there are new ones. */
const TRIES = 20;

/** Without a message, in milliseconds, a copy counts as read to its end. */
const SILENCE_MS = 2000;

/** Messages asked for at once. */
const BATCH = 5000;

/** One that nobody reads any more goes after this, in nanoseconds. */
const UNUSED_NS = 60_000_000_000;

/** For one answer, in milliseconds: leaders change while copies are made, and nobody waits for this. */
const ANSWER_MS = 30_000;

/** For the nodes that have fallen behind, in milliseconds. */
const CURRENT_MS = 10_000;

/** A message that some nodes cannot read, and another one can. */
interface NodeLoss {
  /** Names of those that cannot. */
  readonly nodes: readonly string[];
  readonly message: JsMsg;
}

interface Copies {
  /** Nodes that can be read. */
  readonly nodes: readonly string[];
  /** Those that are away or behind. */
  readonly unread: readonly string[];
  /** Those that are away. */
  readonly away: readonly string[];
  readonly from: number;
  readonly to: number;
}

/** The nodes that hold a stream; `undefined`: there is no such stream. */
async function copiesOf(connection: LogConnection, stream: string): Promise<Copies | undefined> {
  try {
    const { cluster, state } = await connection.reach(
      () => infoOf(connection.jsm, stream),
      ANSWER_MS,
    );
    const followers = cluster?.replicas ?? [];
    const isCurrent = (one: (typeof followers)[number]) =>
      one.current && !one.offline && !(one.lag && one.lag > 0);
    return {
      nodes: [cluster?.leader, ...followers.filter(isCurrent).map(({ name }) => name)].filter(
        (name) => name !== undefined,
      ),
      unread: followers.filter((one) => !isCurrent(one)).map(({ name }) => name),
      away: followers.filter(({ offline }) => offline).map(({ name }) => name),
      from: state.first_seq,
      to: state.last_seq,
    };
  } catch (error) {
    if (codeOf(error) === codes.streamNotFound) return undefined;
    throw error;
  }
}

/** Nodes that were waited for in vain, by the connection over which they were looked for. */
const away = new WeakMap<LogConnection, Set<string>>();

/** As `copiesOf`, after the nodes that are there have caught up, or have not in time: each is waited for once. */
export async function currentCopies(connection: LogConnection, stream: string) {
  const deadline = performance.now() + CURRENT_MS;
  const missed = away.get(connection) ?? new Set();
  away.set(connection, missed);
  for (;;) {
    const copies = await copiesOf(connection, stream);
    if (!copies || copies.unread.every((name) => missed.has(name))) return copies;
    if (performance.now() > deadline) for (const name of copies.unread) missed.add(name);
    await sleep(250);
  }
}

interface Reading {
  readonly from: number;
  readonly to: number;
  readonly headersOnly: boolean;
}

/**
 * Reads the copy of each node: what is asked of a stream is answered by its leader's alone, but a
 * consumer without copies of its own reads the files of the node that it is on.
 *
 * @throws when a node has no consumer in time
 */
async function readCopies(
  connection: LogConnection,
  stream: string,
  nodes: readonly string[],
  { from, to, headersOnly }: Reading,
  onMessage: (node: number, message: JsMsg) => void,
): Promise<void> {
  const { js, jsm } = connection;
  const left = new Set(nodes);
  let deadline = performance.now() + TRIES_MS;
  for (let n = 1; left.size > 0; n++) {
    if (n % TRIES === 0) await sleep(1000);
    if (performance.now() > deadline)
      throw new Error(`${stream} cannot be read on ${[...left].join(', ')}.`);
    const wanted = {
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: Math.max(1, from),
      ack_policy: 'none',
      mem_storage: true,
      num_replicas: 1,
      headers_only: headersOnly,
      inactive_threshold: UNUSED_NS,
    } as const;
    const made = await connection.reach(() => jsm.consumers.add(stream, wanted), ANSWER_MS);
    const node = made.cluster?.leader ?? '';
    if (left.has(node) && (await isRead(made, nodes.indexOf(node)))) {
      left.delete(node);
      deadline = performance.now() + TRIES_MS;
    }
    await jsm.consumers.delete(stream, made.name).catch(() => false);
  }

  /** Not where the consumer went meanwhile: then by another one, from the beginning. */
  async function isRead(made: ConsumerInfo, node: number): Promise<boolean> {
    try {
      await readAll(made, node);
      return true;
    } catch (error) {
      if (isOutage(error) || error instanceof JetStreamError) return false;
      throw error;
    }
  }

  async function readAll({ name, num_pending }: ConsumerInfo, node: number): Promise<void> {
    const consumer = await connection.reach(() => js.consumers.get(stream, name), ANSWER_MS);
    for (let pending = num_pending, received = 1; pending > 0 && received > 0; ) {
      received = 0;
      const batch = await consumer.fetch({ max_messages: BATCH, expires: SILENCE_MS });
      for await (const message of batch) {
        received++;
        pending = message.seq < to ? message.info.pending : 0;
        if (message.seq <= to) onMessage(node, message);
        if (pending === 0) break;
      }
    }
  }
}

/** What none has. */
const NO_SIZE = 0xffff;

/** Of a body: nats-server's checksum does not cover where the headers end (2.15.1), which a flipped bit can move. */
function sizeOf(message: JsMsg): number {
  try {
    const size = message.headers?.get('Nats-Msg-Size');
    return size ? Number(size) % NO_SIZE : NO_SIZE;
  } catch {
    return NO_SIZE;
  }
}

/** How many nodes a mask names. */
const countOf = (mask: number) => mask.toString(2).replaceAll('0', '').length;

/** What is erased meanwhile is missing in one reading, and then in none: twice is lost. */
async function placesLost(connection: LogConnection, stream: string, copies: Copies) {
  const { nodes, from, to } = copies;
  const places = Math.max(0, to - from + 1);
  const everywhere = 2 ** nodes.length - 1;
  const once = await read();
  if (once.size === 0) return once;
  const again = await read();
  return new Map([...again].filter(([seq]) => once.has(seq)));

  /** Which nodes have it, a bit each. */
  async function read(): Promise<Map<number, number>> {
    const sizes = new Uint16Array(places);
    const same = new Uint8Array(places);
    const others = new Uint8Array(places);
    const reading = { from, to, headersOnly: true };
    await readCopies(connection, stream, nodes, reading, (node, message) => {
      const index = message.seq - from;
      const size = sizeOf(message);
      if (!same[index]) sizes[index] = size;
      const seen = sizes[index] === size ? same : others;
      seen[index] = (seen[index] ?? 0) | (1 << node);
    });
    const lost = new Map<number, number>();
    same.forEach((mask, index) => {
      const other = others[index] ?? 0;
      const [one, two] = [countOf(mask), countOf(other)];
      // Two that differ do not tell which of them is right.
      const has = one === two ? mask | other : one > two ? mask : other;
      if (has !== 0 && has !== everywhere) lost.set(from + index, has);
    });
    return lost;
  }
}

/**
 * What some nodes of a cluster lack of a stream, or cannot read, and others can. A read at the leader
 * shows the leader's copy alone. Where there is one copy, there is nothing to compare.
 *
 * @throws ServiceError `log_unavailable`
 */
export async function findNodeLosses(
  connection: LogConnection,
  stream: string,
): Promise<readonly NodeLoss[]> {
  const copies = await currentCopies(connection, stream);
  if (!copies || copies.nodes.length < 2) return [];
  const lost = await placesLost(connection, stream, copies);
  const places = [...lost.keys()];
  const [from = 0, to = 0] = [places[0], places.at(-1)];
  const losses = new Map<number, NodeLoss>();
  const reading = { from, to, headersOnly: false };
  if (places.length > 0)
    await readCopies(connection, stream, copies.nodes, reading, (node, message) => {
      const mask = lost.get(message.seq) ?? 0;
      if ((mask & (1 << node)) === 0) return;
      const nodes = copies.nodes.filter((_name, index) => (mask & (1 << index)) === 0);
      losses.set(message.seq, { nodes, message });
    });
  return [...losses.values()].sort((one, other) => one.message.seq - other.message.seq);
}

/** A node whose copy of a stream cannot be compared: it is away, or has not caught up. */
export interface UnreadNode {
  readonly stream: string;
  readonly node: string;
}

export async function findUnreadNodes(
  connection: LogConnection,
  streams: readonly string[],
): Promise<readonly UnreadNode[]> {
  const found: UnreadNode[] = [];
  for (const stream of streams)
    for (const node of (await currentCopies(connection, stream))?.unread ?? [])
      found.push({ stream, node });
  return found;
}
