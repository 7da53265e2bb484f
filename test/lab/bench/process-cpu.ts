import { readFile } from 'node:fs/promises';

/** Of Linux, on every machine that is in use. */
const TICKS_A_SECOND = 100;

/** Processor time that a process and its threads have used, in milliseconds; not a number where /proc is missing. */
export async function cpuMsOf(pid: number): Promise<number> {
  return cpuOfStat(await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''));
}

function cpuOfStat(stat: string): number {
  // The program's name is in brackets, and may hold spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system] = [Number(fields[11] ?? Number.NaN), Number(fields[12] ?? Number.NaN)];
  return ((user + system) * 1000) / TICKS_A_SECOND;
}
