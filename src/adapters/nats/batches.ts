import { randomUUID } from 'node:crypto';
import { headers, type NatsConnection } from '@nats-io/transport-node';
import type { LogConnection } from './connection.ts';
import { isOutage } from './outage.ts';

/** For the answer to a batch, in milliseconds: it is stored and synced as a whole. */
const BATCH_MS = 5000;

/** The first nats-server with atomic batches. */
const FIRST = { major: 2, minor: 12 } as const;

/** What lets a stream take batches, where the server knows them; newer than the client's types. */
export const batchConfig = (nc: Pick<NatsConnection, 'info'>, stream: string): object =>
  stream === 'TESTS' && knowsBatches(nc) ? { allow_atomic: true } : {};

function knowsBatches({ info }: Pick<NatsConnection, 'info'>): boolean {
  const [major = 0, minor = 0] = (info?.version ?? '').split('.').map(Number);
  return major > FIRST.major || (major === FIRST.major && minor >= FIRST.minor);
}

interface Order {
  readonly subject: string;
  readonly body: string;
  /** Sequence of the subject's last message; 0: none. */
  readonly expectedSeq: number;
}

/**
 * Stores all of these or none, with one sync of the disk (an atomic batch, nats-server 2.12). `false`: none is stored,
 * or nobody knows.
 */
export async function storeAll(
  { nc, online }: LogConnection,
  orders: readonly Order[],
): Promise<boolean> {
  const last = orders.length - 1;
  if (last < 0 || !online() || !knowsBatches(nc)) return false;
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
    const answer = await nc.request(subject, body, options);
    return answer.json<{ readonly count?: number }>().count === orders.length;
  } catch (error) {
    if (isOutage(error)) return false;
    throw error;
  }
}
