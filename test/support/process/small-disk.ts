import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A disk of our own making, which can really be full. */
export interface SmallDisk {
  readonly path: string;
  /** Takes all that is left of it, again if some was given back. */
  fill(): void;
  /** Gives back what `fill` took. */
  free(): void;
  remove(): void;
}

/** More than a nats-server needs to start again (64 MiB), and filled at once. */
const SIZE = '160m';

/** Why a test of a full disk is skipped. */
export const NO_DISK = 'only root can mount a small disk to fill';

/** `undefined` for who may not mount one. */
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
          // Not so much is left.
        }
    },
    free: () => rmSync(ballast, { force: true }),
    remove() {
      execFileSync('umount', [path]);
      rmSync(path, { recursive: true });
    },
  };
}
