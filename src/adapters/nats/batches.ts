import { randomUUID } from 'node:crypto';
import { headers } from '@nats-io/transport-node';
import type { LogConnection } from './connection.ts';
import { codeOf, isForbidden, isOutage } from './outage.ts';

/** For the answer to a batch, in milliseconds: it is stored and synced as a whole. */
const BATCH_MS = 5000;

/** The first nats-server with atomic batches. */
const FIRST = { major: 2, minor: 12 } as const;

/** Whether a stream takes them; newer than the client's types. */
export async function takesBatches({ jsm }: LogConnection, stream: string): Promise<boolean> {
  const { config } = await jsm.streams.info(stream);
  return 'allow_atomic' in config && config.allow_atomic === true;
}

/** A help and no need: a user who may not change the stream goes on without. */
export async function allowBatches(connection: LogConnection, stream: string): Promise<void> {
  const [major = 0, minor = 0] = (connection.nc.info?.version ?? '').split('.').map(Number);
  const isOld = major < FIRST.major || (major === FIRST.major && minor < FIRST.minor);
  if (isOld) return;
  const wanted: object = { allow_atomic: true };
  await connection.reachAtStart(stream, async () => {
    if (await takesBatches(connection, stream)) return;
    await connection.jsm.streams.update(stream, wanted).catch((error: unknown) => {
      const isRefused = isForbidden(error) || codeOf(error) !== undefined;
      if (!isRefused || isOutage(error)) throw error;
    });
  });
}

interface Order {
  readonly subject: string;
  readonly body: string;
  /** Sequence of the subject's last message; 0: none. */
  readonly expectedSeq: number;
}

/**
 * Stores all of these or none, with one sync of the disk (an atomic batch, nats-server 2.12). `false`: none, or
 * nobody knows.
 */
export async function appendAllTo(
  { nc, online }: LogConnection,
  orders: readonly Order[],
): Promise<boolean> {
  const last = orders.length - 1;
  if (last < 0 || !online()) return false;
  const batch = randomUUID();
  const headersOf = ({ expectedSeq }: Order, index: number) => {
    const named = headers();
    named.set('Nats-Batch-Id', batch);
    named.set('Nats-Batch-Sequence', `${index + 1}`);
    named.set('Nats-Expected-Last-Subject-Sequence', `${expectedSeq}`);
    if (index === last) named.set('Nats-Batch-Commit', '1');
    return named;
  };
  try {
    for (const [index, order] of orders.slice(0, last).entries())
      nc.publish(order.subject, order.body, { headers: headersOf(order, index) });
    const { subject, body } = orders[last] as Order;
    const options = { headers: headersOf(orders[last] as Order, last), timeout: BATCH_MS };
    const answer = (await nc.request(subject, body, options)).json<{ readonly count?: number }>();
    return answer.count === orders.length;
  } catch (error) {
    if (isOutage(error)) return false;
    throw error;
  }
}
