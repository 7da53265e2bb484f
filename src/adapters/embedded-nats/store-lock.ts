/**
 * Locks the store of our own nats-server, so that only one server uses it at a time, and takes over the lock
 * of processes that have ended.
 */

import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** A process that can be recognized later. A pid alone is reused, especially in containers. */
interface ProcessIdentity {
  readonly pid: number;
  /** When the process started, in the system's own notation: clock ticks since boot, or a date. */
  readonly started: string;
}

const hasProc = existsSync('/proc/self/stat');

/** Returns the process that has `pid` now, or `undefined` if there is none. */
function identify(pid: number): ProcessIdentity | undefined {
  const started = hasProc ? fromProc(pid) : fromPs(pid);
  return started ? { pid, started } : undefined;
}

/** Returns whether this very process is still running. */
const isAlive = ({ pid, started }: ProcessIdentity): boolean => identify(pid)?.started === started;

/** Reads field 22 of `stat` (proc(5)), counted after the command's name, which may contain spaces. */
function fromProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' ? undefined : fields[18];
  } catch {
    return undefined;
  }
}

/** Reads the start time on systems without /proc, such as macOS. */
function fromPs(pid: number): string | undefined {
  try {
    const started = execFileSync('ps', ['-o', 'lstart=', '-p', `${pid}`], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return started.trim() || undefined;
  } catch {
    return undefined;
  }
}

/** How often a lock whose owner has died is checked again, in milliseconds. */
const POLL_MS = 20;

interface Holder {
  /** Distinguishes this lock from any other with the same path. */
  readonly id: string;
  /** The shell that waits for the server. It lives exactly as long as the server may write to the store. */
  readonly guard: ProcessIdentity;
  /** The service that the server belongs to. */
  readonly owner: ProcessIdentity;
}

interface Options {
  readonly path: string;
  /** The pid of the process that outlives the server. */
  readonly guardPid: number;
  /** Time until which to wait for the lock, in `performance.now()` time. */
  readonly deadline: number;
}

/**
 * Takes the lock of one store: a file that names the processes holding it. If those processes have ended, the
 * lock is taken over. If the owner died while its server is still shutting down, this waits.
 *
 * @returns the function that releases the lock
 * @throws if another service uses the store
 */
export async function takeStoreLock({ path, guardPid, deadline }: Options) {
  const [guard, owner] = [identify(guardPid), identify(process.pid)];
  if (!guard || !owner) throw new Error('nats-server could not be started: its shell has ended.');
  const own: Holder = { id: randomUUID(), guard, owner };

  while (!(await create(path, own))) {
    const holder = await read(path);
    if (!holder || !isAlive(holder.guard)) await removeStale(path, holder);
    else if (isAlive(holder.owner) || performance.now() > deadline)
      throw new Error(heldBy(path, holder));
    else await sleep(POLL_MS);
  }
  return async () => {
    if ((await read(path))?.id === own.id) await rm(path, { force: true });
  };
}

const heldBy = (path: string, { owner }: Holder) =>
  `Another service (process ${owner.pid}) already runs its nats-server in this DATA_DIR (lock file ${path}). ` +
  'Stop it, choose another DATA_DIR, or let both use one nats-server with NATS_URL.';

/** Creates the lock as a link to a file that is already written, so that nobody ever reads half a lock. */
async function create(path: string, holder: Holder): Promise<boolean> {
  const draft = `${path}.${holder.id}`;
  try {
    await writeFile(draft, JSON.stringify(holder), { mode: 0o600 });
    await link(draft, path);
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Reads a lock. Returns `undefined` if the file is missing, or was cut short by a full disk or a power cut.
 */
async function read(path: string): Promise<Holder | undefined> {
  try {
    const { id, guard, owner } = JSON.parse(await readFile(path, 'utf8'));
    return id && guard?.pid && owner?.pid ? { id, guard, owner } : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Moves the file aside before removing it: if two processes find it stale, only one of them gets it. */
async function removeStale(path: string, stale: Holder | undefined): Promise<void> {
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
    // Another process took over the lock after we read it, so that process's lock is put back.
    if ((await read(aside))?.id !== stale?.id) await link(aside, path);
  } catch (error) {
    if (!isCode(error, 'ENOENT') && !isCode(error, 'EEXIST')) throw error;
  } finally {
    await rm(aside, { force: true });
  }
}

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;
