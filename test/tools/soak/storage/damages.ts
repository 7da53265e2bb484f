import { cp, open, readdir, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import type { LogConnection } from '../../../../src/adapters/nats/connection.ts';
import type { Prng } from '../../../support/prng/prng.ts';

/** What an operator can do by mistake, while the server runs. */
const MISTAKES = ['purged stream', 'deleted message'] as const;

/** What can happen to the files of a nats-server that is not running. */
const FILE_DAMAGES = [
  'bit flip',
  'truncation',
  'deleted file',
  'deleted stream',
  'older stream',
  'older store',
] as const;
type FileDamage = (typeof FILE_DAMAGES)[number];
type Mistake = (typeof MISTAKES)[number];

export const DAMAGES = [...FILE_DAMAGES, ...MISTAKES];

export const isMistake = (kind: FileDamage | Mistake): kind is Mistake =>
  MISTAKES.some((one) => one === kind);

interface Store {
  readonly storeDir: string;
  /** A copy of it from before the last events. */
  readonly olderDir: string;
}

const STREAMS = ['TESTS', 'REPORTS', 'PAYMENTS', 'KV_status', 'KV_reports'] as const;

const folderOf = (storeDir: string, stream: string) =>
  join(storeDir, 'jetstream', '$G', 'streams', stream);

/** Makes a mistake; gives what was done to what. What a stream refuses is none. */
export async function mistake({ jsm }: LogConnection, kind: Mistake, random: Prng) {
  const stream = random.pick(STREAMS);
  const { first_seq, last_seq } = (await jsm.streams.info(stream)).state;
  const seq = first_seq + random.below(last_seq - first_seq + 1);
  const done =
    kind === 'purged stream' ? jsm.streams.purge(stream) : jsm.streams.deleteMessage(stream, seq);
  const isDone = await done.then(() => true).catch(() => false);
  return `${kind} in ${stream}${isDone ? '' : ': refused'}`;
}

/** Does one damage to the files; gives what was done to what. */
export async function damage(
  { storeDir, olderDir }: Store,
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
      await harm(file, kind, random);
      return `${kind} in ${stream}`;
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

async function replace(from: string, to: string): Promise<void> {
  await rm(to, { recursive: true, force: true });
  await cp(from, to, { recursive: true });
}
