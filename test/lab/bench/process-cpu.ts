import { readdir, readFile } from 'node:fs/promises';

/** Of Linux, on every machine that is in use. */
const TICKS_A_SECOND = 100;

/** Processor time that a process and its threads have used, in milliseconds; not a number where /proc is missing. */
export async function cpuMsOf(pid: number): Promise<number> {
  return cpuOfStat(await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''));
}

/** Processor time by thread of a Node.js process, in milliseconds. */
export interface ThreadTimes {
  readonly main: number;
  /** Those that run JavaScript as well. */
  readonly workers: number;
  /** V8's and libuv's own: compiling, collecting, files. */
  readonly helpers: number;
}

/** What each kind of thread that is there has used. */
export async function threadTimesOf(pid: number): Promise<ThreadTimes> {
  const folder = `/proc/${pid}/task`;
  const threads = await Promise.all((await readdir(folder)).map((id) => timeOf(folder, id)));
  const sum = (wanted: (thread: { id: number; name: string }) => boolean) =>
    threads.reduce((total, one) => total + (wanted(one) ? one.ms : 0), 0);
  const main = sum(({ id }) => id === pid);
  const helpers = sum(({ id, name }) => id !== pid && HELPER.test(name));
  return { main, helpers, workers: sum(() => true) - main - helpers };
}

const HELPER = /^(?:V8Worker|libuv|DelayedTask|SignalInspector)/;

async function timeOf(folder: string, id: string) {
  const read = (name: string) => readFile(`${folder}/${id}/${name}`, 'utf8').catch(() => '');
  const [name, times] = [await read('comm'), await read('schedstat')];
  // The first number is the time on a processor, in nanoseconds.
  return { id: Number(id), name, ms: Number(times.split(' ', 1)[0]) / 1e6 };
}

/** Bytes that a process has had written to a disk. */
export async function writtenBy(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/io`, 'utf8');
  return Number(/^write_bytes: (\d+)/m.exec(text)?.[1]);
}

function cpuOfStat(stat: string): number {
  // The program's name is in brackets, and may hold spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system] = [Number(fields[11] ?? Number.NaN), Number(fields[12] ?? Number.NaN)];
  return ((user + system) * 1000) / TICKS_A_SECOND;
}
