/**
 * Reads the content of an email once: stores it in memory, checks its size and its header, and computes its
 * digest. An email that will not be kept is read to its end without being stored.
 */

import { createHmac } from 'node:crypto';
import {
  MAX_FIELD_BYTES,
  MAX_HEADER_BLOCK_BYTES,
  MAX_HEADER_FIELDS,
  MAX_HEADER_LINES,
} from '../../analysis/limits.ts';
import type { GuardResult, InputGuard } from '../../analysis/mail/input-guard.ts';
import { type MailVerdict, verdict } from '../../domain/replies.ts';
import type { Transaction } from './ports.ts';

/**
 * Limits on reading an email that is not kept: this many times the size limit, and this many milliseconds.
 */
const DISCARD_FACTOR = 4;
const DISCARD_MS = 600_000;

/** An email of spaces and line ends alone, which are the characters up to this one, is empty. */
const SPACE = 0x20;

/** Facts about an email that are known at the end of its data. */
export interface ReceivedContent {
  /** HMAC-SHA-256 of the sender's own bytes, in hex, keyed with the test's token hash. */
  readonly digest: string;
  /** Size of the sender's own bytes. */
  readonly sizeBytes: number;
  /** A refusal for protocol reasons. It leaves the test unchanged. */
  readonly refusal: MailVerdict | null;
}

interface Reading {
  readonly guard: InputGuard;
  readonly maxMessageBytes: number;
  /** Offset at which the sender's own bytes begin. A provider's header block changes with each attempt. */
  readonly ownFrom: number;
}

/**
 * Reads an email to its end in one pass: it is stored, checked and hashed as it arrives. An email that will
 * be refused is dropped immediately, but read to its end, because SMTP has no reply before that. Returns
 * `undefined` if the email was too large or took too long even for that, and then stops reading.
 *
 * @throws what the source throws if it breaks off
 */
export async function readReceivedContent(
  chunks: AsyncIterable<Uint8Array>,
  { reservation, created, sent }: Pick<Transaction, 'reservation' | 'created' | 'sent'>,
  { guard, maxMessageBytes, ownFrom }: Reading,
): Promise<ReceivedContent | undefined> {
  const mac = createHmac('sha256', Buffer.from(created.tokenSha256, 'hex'));
  let total = 0;
  let isBlank = true;
  let refusal: MailVerdict | null = null;
  let discardedSince = reservation ? null : performance.now();

  for await (const chunk of chunks) {
    const own = chunk.subarray(Math.max(0, ownFrom - total));
    total += chunk.length;
    isBlank &&= own.every((byte) => byte <= SPACE);
    sent.add(chunk.length, performance.now());
    // A refused email is never recognized later, so it is not hashed.
    if (!refusal) mac.update(own);
    if (discardedSince !== null && total > DISCARD_FACTOR * maxMessageBytes) return undefined;
    if (discardedSince !== null && performance.now() - discardedSince > DISCARD_MS)
      return undefined;
    if (!reservation || refusal) continue;

    // Only the size of the body is limited here. The code that parses the email enforces the other limits.
    guard.pushHeader(own);
    refusal = judge(total, maxMessageBytes, guard.result());
    if (!refusal && !reservation.write(chunk)) refusal = verdict('memory_full');
    if (!refusal) continue;
    reservation.release();
    discardedSince = performance.now();
  }
  if (isBlank) refusal ??= verdict('empty');
  return { digest: mac.digest('hex'), sizeBytes: total - ownFrom, refusal };
}

/** The name of each header fault in the reply, with the limit that was exceeded. */
const headerFaults: Record<NonNullable<GuardResult['headerFault']>, [string, number]> = {
  header_block_too_large: ['header size in bytes', MAX_HEADER_BLOCK_BYTES],
  too_many_fields: ['number of header fields', MAX_HEADER_FIELDS],
  too_many_lines: ['number of header lines', MAX_HEADER_LINES],
  field_too_large: ['header field size in bytes', MAX_FIELD_BYTES],
};

function judge(size: number, limit: number, { headerFault }: GuardResult): MailVerdict | null {
  if (size > limit) return verdict('too_large', { n: String(limit) });
  if (headerFault === null) return null;
  const [what, n] = headerFaults[headerFault];
  return verdict('malformed', { what, n: String(n) });
}
