import { JetStreamApiError } from '@nats-io/jetstream';
import {
  createInbox,
  errors,
  headers,
  type Msg,
  type NatsConnection,
} from '@nats-io/transport-node';

/** For one answer, in milliseconds: the client's own 5 s would hide a restart of the server. */
export const REQUEST_MS = 1500;

type ApiError = ConstructorParameters<typeof JetStreamApiError>[0];

interface PubAck {
  readonly seq?: number;
  readonly error?: ApiError;
}

interface Order {
  readonly subject: string;
  readonly body: string | Uint8Array;
  readonly reply: string;
  readonly expectedSeq: number;
  readonly reject: (error: unknown) => void;
}

interface Waiting {
  readonly subject: string;
  readonly timer: NodeJS.Timeout;
  readonly resolve: (seq: number) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Stores a message whose subject's last one has this sequence; 0: has none. Resolves to its own.
 *
 * @throws JetStreamApiError what the stream answered; else one of the client's errors: see `isOutage`
 */
export type Publish = (
  subject: string,
  body: string | Uint8Array,
  expectedSeq: number,
  timeoutMs?: number,
) => Promise<number>;

/**
 * Publishes with answers to one inbox. The client's own request makes an error with a stack, two
 * promises that race and two timers for each message, also when all is well. What comes up in one round of the
 * event loop is written together: a system call costs more than all the rest.
 */
export function createPublish(nc: NatsConnection, inboxPrefix: string | undefined): Publish {
  const inbox = `${createInbox(inboxPrefix)}.`;
  const waiting = new Map<string, Waiting>();
  let last = 0;

  let orders: Order[] = [];

  function flush(): void {
    const now = orders;
    orders = [];
    for (const { subject, body, reply, expectedSeq, reject } of now)
      try {
        const expected = headers();
        expected.set('Nats-Expected-Last-Subject-Sequence', String(expectedSeq));
        nc.publish(subject, body, { reply, headers: expected });
      } catch (error) {
        take(reply);
        reject(error);
      }
  }

  function take(reply: string): Waiting | undefined {
    const one = waiting.get(reply);
    waiting.delete(reply);
    clearTimeout(one?.timer);
    return one;
  }

  function failAll(error: Error, isMeant: (one: Waiting) => boolean): void {
    for (const [reply, one] of waiting) if (isMeant(one)) take(reply)?.reject(error);
  }

  nc.subscribe(`${inbox}*`, {
    callback(error, message) {
      if (error) return;
      const one = take(message.subject);
      if (!one) return;
      const seq = readSeq(message, one.subject);
      if (typeof seq === 'number') one.resolve(seq);
      else one.reject(seq);
    },
  });

  /** What the user may not publish is answered to nobody. */
  async function watch(): Promise<void> {
    for await (const status of nc.status())
      if (status.type === 'error' && status.error instanceof errors.PermissionViolationError) {
        const { error } = status;
        failAll(error, ({ subject }) => error.operation === 'publish' && error.subject === subject);
      }
  }
  const closed = () => failAll(new errors.ClosedConnectionError(), () => true);
  watch().then(closed, closed);

  return (subject, body, expectedSeq, timeoutMs = REQUEST_MS) =>
    new Promise((resolve, reject) => {
      last += 1;
      const reply = inbox + last;
      if (orders.length === 0) setImmediate(flush);
      orders.push({ subject, body, reply, expectedSeq, reject });
      const timer = setTimeout(() => take(reply)?.reject(new errors.TimeoutError()), timeoutMs);
      waiting.set(reply, { subject, timer, resolve, reject });
    });
}

/** The sequence that the stream gave to the message, or why it was not stored. */
function readSeq(message: Msg, subject: string): number | Error {
  if (message.data.length === 0) return new errors.NoRespondersError(subject);
  const { seq, error } = message.json<PubAck>();
  if (error) return new JetStreamApiError(error);
  return seq ?? new TypeError('The stream acknowledged no sequence.');
}
