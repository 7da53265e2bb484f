import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** A process that can be recognised later: a pid alone is given again, above all in containers. */
interface ProcessIdentity {
  readonly pid: number;
  /** When it started, in the system's own notation: clock ticks since boot, or a date. */
  readonly started: string;
}

const hasProc = existsSync('/proc/self/stat');

/** The process that has `pid` now; `undefined` when no process has it. */
function identify(pid: number): ProcessIdentity | undefined {
  const started = hasProc ? fromProc(pid) : fromPs(pid);
  return started ? { pid, started } : undefined;
}

/** Whether this very process still runs. */
const isAlive = ({ pid, started }: ProcessIdentity): boolean => identify(pid)?.started === started;

/** proc(5): field 22 of `stat`, counted after the command's name, which may hold spaces. */
function fromProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' ? undefined : fields[18];
  } catch {
    return undefined;
  }
}

/** Where there is no /proc, such as on macOS. */
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

/** How often a lock whose owner has died is looked at again, in milliseconds. */
const POLL_MS = 20;

interface Holder {
  /** Distinguishes this lock from any other that has the same path. */
  readonly id: string;
  /** Lives exactly as long as the server may write: the shell that waits for it. */
  readonly guard: ProcessIdentity;
  /** The service that the server belongs to. */
  readonly owner: ProcessIdentity;
}

interface Options {
  readonly path: string;
  /** The pid of the process that outlives the server. */
  readonly guardPid: number;
  /** By `performance.now()`. */
  readonly deadline: number;
}

/**
 * Takes the lock of one store: a file with the processes that hold it. A lock whose processes are
 * gone is taken over; one whose owner died while its server still shuts down is waited for.
 *
 * @returns what gives it back.
 * @throws when another service holds the store.
 */
export async function takeStoreLock({ path, guardPid, deadline }: Options) {
  const [guard, owner] = [identify(guardPid), identify(process.pid)];
  if (!guard || !owner) throw new Error('nats-server could not be started: its shell is gone.');
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
  `Another service (process ${owner.pid}) has its nats-server on this DATA_DIR (lock file ${path}). ` +
  'Stop it, choose another DATA_DIR, or let both use one nats-server with NATS_URL.';

/** A link to a file that is already written: nobody ever reads half a lock. */
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

/** `undefined` when the file is absent or was cut short by a full disk or a power cut. */
async function read(path: string): Promise<Holder | undefined> {
  try {
    const { id, guard, owner } = JSON.parse(await readFile(path, 'utf8'));
    return id && guard?.pid && owner?.pid ? { id, guard, owner } : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Moved aside before it is removed: of two who found it stale only one gets it. */
async function removeStale(path: string, stale: Holder | undefined): Promise<void> {
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
    // Somebody took the lock over since we read it: theirs goes back.
    if ((await read(aside))?.id !== stale?.id) await link(aside, path);
  } catch (error) {
    if (!isCode(error, 'ENOENT') && !isCode(error, 'EEXIST')) throw error;
  } finally {
    await rm(aside, { force: true });
  }
}

export const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;
