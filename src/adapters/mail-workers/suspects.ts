import { setNewest } from '../../domain/set-newest.ts';

/** How long the mail that ended a worker is remembered, in milliseconds: its sender tries again. */
const SUSPECT_MS = 60 * 60 * 1000;

/** Digests remembered; the oldest goes first. */
const MAX_SUSPECTS = 1000;

/** Digests of mails that a worker was reading when it ended. */
export function createSuspects() {
  const until = new Map<string, number>();
  return {
    add(digest: string): void {
      setNewest(until, digest, performance.now() + SUSPECT_MS, MAX_SUSPECTS);
    },
    has: (digest: string): boolean => (until.get(digest) ?? 0) > performance.now(),
  };
}
