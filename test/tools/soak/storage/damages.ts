import { cp, open, readdir, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import type { Prng } from '../../../support/prng/prng.ts';

/** What can happen to the files of a nats-server that is not running. */
export const DAMAGES = [
  'bit flip',
  'truncation',
  'deleted file',
  'deleted stream',
  'older stream',
  'older store',
] as const;
export type DamageKind = (typeof DAMAGES)[number];

interface Store {
  readonly storeDir: string;
  /** A copy of it from before the last events. */
  readonly olderDir: string;
}

const STREAMS = ['TESTS', 'REPORTS', 'PAYMENTS', 'KV_status', 'KV_reports'] as const;

const folderOf = (storeDir: string, stream: string) =>
  join(storeDir, 'jetstream', '$G', 'streams', stream);

/** Does one damage to the files; gives what was done to what. */
export async function damage(
  { storeDir, olderDir }: Store,
  kind: DamageKind,
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

async function harm(file: string, kind: DamageKind, random: Prng): Promise<void> {
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
