/** Damages the files of a nats-server, or makes the mistakes of an operator. */

import {
  cp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import type { LogConnection } from '../../../src/adapters/nats/connection.ts';
import type { Prng } from '../../support/prng/prng.ts';

/** Things that an operator can do by mistake while the server runs. */
const MISTAKES = ['purged stream', 'deleted message'] as const;

/** Things that can happen to the files of a nats-server that is not running. */
const FILE_DAMAGES = [
  'bit flip',
  'truncation',
  'deleted file',
  'swapped files',
  'deleted stream',
  'older stream',
  'older store',
] as const;
type FileDamage = (typeof FILE_DAMAGES)[number];
type Mistake = (typeof MISTAKES)[number];

export type DamageKind = FileDamage | Mistake;

export const DAMAGES: readonly DamageKind[] = [...FILE_DAMAGES, ...MISTAKES];

export const isMistake = (kind: DamageKind): kind is Mistake =>
  MISTAKES.some((one) => one === kind);

interface Store {
  readonly storeDir: string;
  /** A copy of the store from before the last events. */
  readonly olderDir: string;
  /** Number of bits to flip in one file. */
  readonly flips: number;
}

/** The streams that are damaged. */
export const STREAMS = [
  'TESTS',
  'REPORTS',
  'PAYMENTS',
  'KV_status',
  'KV_reports',
  'KV_payment_claims',
  'KV_marks',
] as const;

const folderOf = (storeDir: string, stream: string) =>
  join(storeDir, 'jetstream', '$G', 'streams', stream);

/** Makes a mistake. Returns what was done to what, or nothing if the stream refused. */
export async function mistake({ jsm }: LogConnection, kind: Mistake, random: Prng) {
  const stream = random.pick(STREAMS);
  const { first_seq, last_seq } = (await jsm.streams.info(stream)).state;
  const seq = first_seq + random.below(last_seq - first_seq + 1);
  const done =
    kind === 'purged stream' ? jsm.streams.purge(stream) : jsm.streams.deleteMessage(stream, seq);
  const isDone = await done.then(() => true).catch(() => false);
  return `${kind} in ${stream}${isDone ? '' : ': refused'}`;
}

/** Damages the files in one way. Returns what was done to what. */
export async function damage(
  { storeDir, olderDir, flips }: Store,
  kind: FileDamage,
  random: Prng,
): Promise<string> {
  const stream = random.pick(STREAMS);
  const folder = folderOf(storeDir, stream);
  switch (kind) {
    case 'bit flip':
    case 'truncation':
    case 'deleted file': {
      const file = random.pick(await blocksOf(folder));
      for (let n = 0; n < (kind === 'bit flip' ? flips : 1); n++) await harm(file, kind, random);
      return `${kind} in ${stream}`;
    }
    case 'swapped files': {
      const other = random.pick(STREAMS.filter((name) => name !== stream));
      await swap(
        random.pick(await blocksOf(folder)),
        random.pick(await blocksOf(folderOf(storeDir, other))),
      );
      return `${kind} of ${stream} and ${other}`;
    }
    case 'deleted stream':
      await rm(folder, { recursive: true });
      break;
    case 'older stream':
      await replace(folderOf(olderDir, stream), folder);
      break;
    case 'older store':
      await replace(olderDir, storeDir);
      return kind;
  }
  return `${kind} ${stream}`;
}

async function blocksOf(folder: string): Promise<readonly string[]> {
  const names = await readdir(join(folder, 'msgs'));
  return names.filter((name) => name.endsWith('.blk')).map((name) => join(folder, 'msgs', name));
}

async function swap(one: string, other: string): Promise<void> {
  await rename(one, `${one}.swapped`);
  await rename(other, one);
  await rename(`${one}.swapped`, other);
}

async function harm(file: string, kind: FileDamage, random: Prng): Promise<void> {
  if (kind === 'deleted file') return rm(file);
  const { size } = await stat(file);
  if (kind === 'truncation') return truncate(file, random.below(size));
  const handle = await open(file, 'r+');
  try {
    const place = random.below(size);
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, place);
    await handle.write(Buffer.from([(buffer[0] ?? 0) ^ (1 << random.below(8))]), 0, 1, place);
  } finally {
    await handle.close();
  }
}

/** A stored message, by the beginning of its record in a block. */
export interface Place {
  readonly stream: string;
  readonly seq: number;
  readonly subject: string;
}

/**
 * Bytes before a record's subject: its length, sequence, time and the subject's length, as nats-server writes
 * them.
 */
const RECORD_HEAD = 22;

/** Bytes of the checksum at its end. */
const CHECKSUM = 8;

/** The bytes of the headers' length, of four, in which one flipped bit leaves a possible length. */
const HEADER_LENGTH = 2;

/**
 * Flips a bit in each of these messages without harming any other: in headers, body or checksum, and in some
 * of them in the length of the headers, which the checksum does not cover. The checksum of the last one is
 * left alone, because by it a starting server knows which files to read again and cut off.
 */
export async function flipMessages(
  storeDir: string,
  places: readonly Place[],
  random: Prng,
  lengths = 0.25,
) {
  for (const [stream, ofStream] of Map.groupBy(places, (one) => one.stream))
    for (const path of await blocksOf(folderOf(storeDir, stream))) {
      const bytes = await readFile(path);
      for (const place of ofStream) flipRecord(bytes, place, random, lengths);
      await writeFile(path, bytes);
    }
}

function flipRecord(bytes: Buffer, { seq, subject }: Place, random: Prng, lengths: number): void {
  for (let at = bytes.indexOf(subject); at >= 0; at = bytes.indexOf(subject, at + 1)) {
    const start = at - RECORD_HEAD;
    if (start < 0 || bytes.readBigUInt64LE(start + 4) !== BigInt(seq)) continue;
    // The highest bit says that there are headers.
    const head = bytes.readUInt32LE(start);
    const length = head & 0x7fff_ffff;
    const from = RECORD_HEAD + subject.length;
    const isLast = start + length === bytes.length;
    const isHeaderLength = head !== length && random.chance(lengths);
    const among = isHeaderLength ? HEADER_LENGTH : length - from - (isLast ? CHECKSUM : 0);
    const where = start + from + random.below(among);
    bytes[where] = (bytes[where] ?? 0) ^ (1 << random.below(8));
    return;
  }
}

async function replace(from: string, to: string): Promise<void> {
  await rm(to, { recursive: true, force: true });
  await cp(from, to, { recursive: true });
}
