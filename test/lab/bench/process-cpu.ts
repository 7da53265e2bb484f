/** Reads from /proc how much processor time processes have used, and how much they have written. */

import { readdir, readFile } from 'node:fs/promises';

/** Ticks per second of Linux, the same on every machine in use. */
const TICKS_A_SECOND = 100;

/**
 * Returns the processor time that a process and its threads have used, in milliseconds, or NaN without /proc.
 */
export async function cpuMsOf(pid: number): Promise<number> {
  return cpuOfStat(await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''));
}

/** Processor time of a Node.js process by kind of thread, in milliseconds. */
export interface ThreadTimes {
  readonly main: number;
  /** Threads that run JavaScript, except the main one. */
  readonly workers: number;
  /** Threads of V8 and libuv: compilation, garbage collection, files. */
  readonly helpers: number;
}

/** Returns what each kind of thread has used. */
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

/** Returns the bytes that a process has written to a disk. */
export async function writtenBy(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/io`, 'utf8');
  return Number(/^write_bytes: (\d+)/m.exec(text)?.[1]);
}

function cpuOfStat(stat: string): number {
  // The program's name is in brackets, and may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system] = [Number(fields[11] ?? Number.NaN), Number(fields[12] ?? Number.NaN)];
  return ((user + system) * 1000) / TICKS_A_SECOND;
}
