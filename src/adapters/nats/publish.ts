/**
 * Publishes a message to a stream once, and only if the last message on its subject has the expected sequence
 * number.
 */

import { JetStreamApiError } from '@nats-io/jetstream';
import { headers, type NatsConnection } from '@nats-io/transport-node';

/** Time limit for one response, in milliseconds. The client's own 5 s would hide a restart of the server. */
export const REQUEST_MS = 1500;

interface PubAck {
  readonly seq?: number;
  readonly error?: ConstructorParameters<typeof JetStreamApiError>[0];
}

/**
 * Stores a message if the last message on its subject has this sequence number, or if the subject has no
 * message and the number is 0. Resolves to the new message's own number.
 *
 * @throws JetStreamApiError with the response of the stream, or one of the client's errors: see `isOutage`
 */
export type Publish = ReturnType<typeof createPublish>;

/** The client's own publish is not used, because it retries on its own. */
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
