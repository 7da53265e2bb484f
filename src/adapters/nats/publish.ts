import { JetStreamApiError } from '@nats-io/jetstream';
import { headers, type NatsConnection } from '@nats-io/transport-node';

/** For one answer, in milliseconds: the client's own 5 s would hide a restart of the server. */
export const REQUEST_MS = 1500;

interface PubAck {
  readonly seq?: number;
  readonly error?: ConstructorParameters<typeof JetStreamApiError>[0];
}

/**
 * Stores a message whose subject's last one has this sequence; 0: has none. Resolves to its own.
 *
 * @throws JetStreamApiError what the stream answered; else one of the client's errors: see `isOutage`
 */
export type Publish = ReturnType<typeof createPublish>;

/** Not by the client's own publish, which tries again by itself. */
export const createPublish =
  (nc: NatsConnection) =>
  async (
    subject: string,
    body: string | Uint8Array,
    expectedSeq: number,
    timeout = REQUEST_MS,
  ): Promise<number> => {
    const expected = headers();
    expected.set('Nats-Expected-Last-Subject-Sequence', String(expectedSeq));
    const answer = await nc.request(subject, body, { headers: expected, timeout });
    const { seq, error } = answer.json<PubAck>();
    if (error) throw new JetStreamApiError(error);
    if (seq === undefined) throw new TypeError('The stream acknowledged no sequence.');
    return seq;
  };
