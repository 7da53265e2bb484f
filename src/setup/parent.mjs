import { readFileSync } from 'node:fs';

/** How often it is checked that npm still runs, in milliseconds. */
const CHECK_MS = 500;

/**
 * Ends this process, as SIGTERM would, when the one that started it over an IPC channel is gone,
 * even by `kill -9`. Without a channel nothing is watched.
 */
export function endWithParent() {
  if (!process.connected) return;
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  // Watching alone keeps nothing alive.
  process.channel?.unref();
}

/**
 * Calls back once when the npm that runs us is gone: it dies of a SIGTERM without passing it on,
 * and of a `kill -9` anyway. Its shell stays in between and waits.
 *
 * @param {() => void} gone
 */
export function watchNpm(gone) {
  if (!process.env.npm_lifecycle_event) return;
  const before = lineage();
  const timer = setInterval(() => {
    if (lineage() === before) return;
    clearInterval(timer);
    gone();
  }, CHECK_MS);
  timer.unref();
}

/** Our parent and its parent; the latter only where there is a `/proc`. */
const lineage = () => `${process.ppid} ${parentOf(process.ppid)}`;

/** @param {number} pid */
function parentOf(pid) {
  try {
    // proc(5): the name, in brackets, may hold anything; the state and the parent follow it.
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
  } catch {
    return '';
  }
}
