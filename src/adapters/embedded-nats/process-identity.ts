import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** A process that can be recognised later: a pid alone is given again, above all in containers. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it started, in the system's own notation: clock ticks since boot, or a date. */
  readonly started: string;
}

const hasProc = existsSync('/proc/self/stat');

/** The process that has `pid` now; `undefined` when no process has it. */
export function identify(pid: number): ProcessIdentity | undefined {
  const started = hasProc ? fromProc(pid) : fromPs(pid);
  return started ? { pid, started } : undefined;
}

/** Whether this very process still runs. */
export const isAlive = ({ pid, started }: ProcessIdentity): boolean =>
  identify(pid)?.started === started;

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
