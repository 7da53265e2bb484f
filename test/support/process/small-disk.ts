/** Mounts a small disk that tests can fill up. */

import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A disk of our own making, which can really be full. */
export interface SmallDisk {
  readonly path: string;
  /** Uses all that is left of it, again if some was freed. */
  fill(): void;
  /** Frees what `fill` used. */
  free(): void;
  remove(): void;
}

/** Size of the disk: more than a nats-server needs to start again (64 MiB), and quickly filled. */
const SIZE = '160m';

/** The reason why a test of a full disk is skipped. */
export const NO_DISK = 'only root can mount a small disk to fill';

/** Mounts a small disk in memory. Returns `undefined` if the user may not mount anything. */
export function mountSmallDisk(): SmallDisk | undefined {
  const path = mkdtempSync(join(tmpdir(), 'small-disk-'));
  const ballast = join(path, 'ballast');
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', path], {
      stdio: 'ignore',
    });
  } catch {
    rmSync(path, { recursive: true });
    return undefined;
  }
  return {
    path,
    fill() {
      for (const bytes of [2 ** 20, 4096])
        try {
          for (;;) appendFileSync(ballast, Buffer.alloc(bytes));
        } catch {
          // The disk has less room than one such block.
        }
    },
    free: () => rmSync(ballast, { force: true }),
    remove() {
      execFileSync('umount', [path]);
      rmSync(path, { recursive: true });
    },
  };
}
