import { expiry } from '../../projection/deadlines.ts';
import type { Row, StatusName } from '../../projection/row.ts';

type Context = Row['context'];

/**
 * A row as it is kept: instants as milliseconds, hashes as bytes, small integers wherever they fit.
 * A million of these are what a replica's memory is made of.
 */
export interface PackedRow {
  readonly seq: number;
  /** Status, refusal and attempts in one: see `toKind`. */
  readonly kind: number;
  /** Milliseconds since 1970; the other instants are milliseconds after it. */
  readonly createdAt: number;
  readonly at: number;
  readonly sendBefore: number;
  readonly expiresAt: number;
  readonly receivedAt: number | null;
  /** 32 bytes, one a character. */
  readonly token: string;
  readonly digest: string | null;
  readonly reportSeq: number | null;
  /** What few tests have. */
  readonly rare: Pick<Context, 'refusal' | 'failure'> | null;
}

const STATUSES: readonly StatusName[] = [
  'waiting',
  'processing',
  'ready',
  'rejected_or_not_received',
  'analysis_failed',
];

/** Attempts are at most 3: two bits; then one for the refusal, then the status. */
const toKind = ({ status, refused, context }: Row) =>
  STATUSES.indexOf(status) * 8 + (refused ? 4 : 0) + context.attempts;

export const statusOf = (packed: PackedRow | Row): StatusName =>
  'context' in packed ? packed.status : (STATUSES[packed.kind >> 3] as StatusName);

const toInstant = (milliseconds: number) => new Date(milliseconds).toISOString();
const toBytes = (hex: string) => Buffer.from(hex, 'hex').toString('latin1');
const toHex = (bytes: string) => Buffer.from(bytes, 'latin1').toString('hex');

/** A number that was computed as a fraction costs 16 bytes more than its place; an integer nothing. */
const small = (number: number) => ((number | 0) === number ? number | 0 : number);

/** An instant may have the right letters and still be no day of any month. */
function isDay(milliseconds: number, instant: string): boolean {
  return new Date(milliseconds).getUTCDate() === Number(instant.slice(8, 10));
}

/** The packed row; the row itself where packing would lose something of it. */
export function packRow(row: Row): PackedRow | Row {
  const { seq, context } = row;
  const { at, createdAt, sendBefore, expiresAt, receivedAt, refusal, failure } = context;
  const begin = Date.parse(createdAt);
  let lossless = isDay(begin, createdAt);
  const after = (instant: string) => {
    const milliseconds = Date.parse(instant);
    lossless &&= isDay(milliseconds, instant);
    return small(milliseconds - begin);
  };
  const packed: PackedRow = {
    seq,
    kind: toKind(row),
    createdAt: begin,
    at: after(at),
    sendBefore: after(sendBefore),
    expiresAt: after(expiresAt),
    receivedAt: receivedAt === null ? null : after(receivedAt),
    token: toBytes(context.tokenSha256),
    digest: context.digest === null ? null : toBytes(context.digest),
    reportSeq: context.reportSeq,
    rare: refusal || failure ? { refusal, failure } : null,
  };
  return lossless ? packed : row;
}

/** The row as it was before it was packed. */
export function unpackRow(packed: PackedRow | Row): Row {
  if ('context' in packed) return packed;
  const { seq, kind, createdAt, receivedAt, digest, reportSeq, rare } = packed;
  return {
    seq,
    status: statusOf(packed),
    refused: (kind & 4) !== 0,
    context: {
      at: toInstant(createdAt + packed.at),
      createdAt: toInstant(createdAt),
      sendBefore: toInstant(createdAt + packed.sendBefore),
      expiresAt: toInstant(createdAt + packed.expiresAt),
      tokenSha256: toHex(packed.token),
      attempts: kind & 3,
      receivedAt: receivedAt === null ? null : toInstant(createdAt + receivedAt),
      digest: digest === null ? null : toHex(digest),
      refusal: rare?.refusal ?? null,
      reportSeq,
      failure: rare?.failure ?? null,
    },
  };
}

/** As `expiry` of the row, in milliseconds since 1970, without unpacking it. */
export const packedExpiry = (packed: PackedRow | Row): number =>
  'context' in packed
    ? expiry(packed)
    : packed.createdAt + (packed.receivedAt ?? 0) + packed.expiresAt;
