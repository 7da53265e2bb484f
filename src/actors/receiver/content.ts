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

/** What is not kept is read on only so far: so many times the limit, and so many milliseconds. */
const DISCARD_FACTOR = 4;
const DISCARD_MS = 600_000;

/** What is known of a mail at the end of its data. */
export interface ReceivedContent {
  /** HMAC-SHA-256 in hex of the sender's own bytes, under the test's token hash. */
  readonly digest: string;
  /** Of the sender's own bytes. */
  readonly sizeBytes: number;
  /** The protocol's refusal: it leaves the test as it was. */
  readonly refusal: MailVerdict | null;
}

interface Reading {
  readonly guard: InputGuard;
  readonly maxMessageBytes: number;
  /** Offset of the sender's own bytes: a provider's block changes with each attempt. */
  readonly ownFrom: number;
}

/**
 * Reads a mail to its end, in one pass: kept, watched and hashed while it arrives. What will be
 * refused is dropped at once and read on, since SMTP has no answer before the end.
 * `undefined`: there was too much of that, and nothing more is read.
 *
 * @throws what the source throws when it breaks off
 */
export async function readReceivedContent(
  chunks: AsyncIterable<Uint8Array>,
  { reservation, created, sent }: Pick<Transaction, 'reservation' | 'created' | 'sent'>,
  { guard, maxMessageBytes, ownFrom }: Reading,
): Promise<ReceivedContent | undefined> {
  const mac = createHmac('sha256', Buffer.from(created.tokenSha256, 'hex'));
  let total = 0;
  let refusal: MailVerdict | null = null;
  let discardedSince = reservation ? null : performance.now();

  for await (const chunk of chunks) {
    const own = chunk.subarray(Math.max(0, ownFrom - total));
    total += chunk.length;
    sent.add(chunk.length, performance.now());
    // Of what is refused nothing is recognised later.
    if (!refusal) mac.update(own);
    if (discardedSince !== null && total > DISCARD_FACTOR * maxMessageBytes) return undefined;
    if (discardedSince !== null && performance.now() - discardedSince > DISCARD_MS)
      return undefined;
    if (!reservation || refusal) continue;

    // Of the body there is no limit but that of its size; who reads the mail watches it.
    guard.pushHeader(own);
    refusal = judge(total, maxMessageBytes, guard.result());
    if (!refusal && !reservation.write(chunk)) refusal = verdict('memory_full');
    if (!refusal) continue;
    reservation.release();
    discardedSince = performance.now();
  }
  if (total <= ownFrom) refusal ??= verdict('empty');
  return { digest: mac.digest('hex'), sizeBytes: total - ownFrom, refusal };
}

/** As a reply names it, with the limit. */
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
