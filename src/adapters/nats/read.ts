/**
 * Reads the state of a stream and single messages at the stream's leader, and the sequence number that the
 * writer of a message expected.
 */

import {
  JetStreamApiError,
  type JetStreamManager,
  type JsMsg,
  type StoredMsg,
  type StreamInfo,
  type StreamInfoRequestOptions,
} from '@nats-io/jetstream';
import { codes } from './outage.ts';

/**
 * Returns the state of a stream as its leader knows it. A node that has lost touch with the leader responds
 * with what it last knew.
 */
export async function infoOf(
  jsm: JetStreamManager,
  stream: string,
  options?: Partial<StreamInfoRequestOptions>,
): Promise<StreamInfo> {
  const info = await jsm.streams.info(stream, options);
  if (!info.cluster || info.cluster.leader) return info;
  const err_code = codes.noLeader;
  throw new JetStreamApiError({ code: 503, err_code, description: `${stream} has no leader` });
}

/** Returns the first message of a subject at or after a sequence number, read at the leader. */
export function nextMessage(
  jsm: JetStreamManager,
  stream: string,
  subject: string,
  seq: number,
): Promise<StoredMsg | null> {
  // The client's type knows this member only for direct reads, but the leader has it since 2.9.
  const query = { seq, next_by_subj: subject };
  return jsm.streams.getMessage(stream, query);
}

/**
 * Returns the sequence number that a message's writer expected on its subject. The server keeps the header
 * with which the message was stored.
 */
export function expectedSeqOf(headers: JsMsg['headers'] | StoredMsg['header']): number | undefined {
  const expected = headers?.get('Nats-Expected-Last-Subject-Sequence');
  return expected ? Number(expected) : undefined;
}
