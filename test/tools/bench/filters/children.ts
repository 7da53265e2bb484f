import { readdir, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuMsOf } from '../process-cpu.ts';

/** A process and all below it. */
async function familyOf(pid: number): Promise<readonly number[]> {
  const all = (await readdir('/proc')).map(Number).filter((one) => one > 0);
  const parents = await Promise.all(
    all.map(async (one) => {
      const stat = await readFile(`/proc/${one}/stat`, 'utf8').catch(() => '');
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    }),
  );
  const family = [pid];
  for (const one of family)
    all.forEach((child, i) => void (parents[i] === one && family.push(child)));
  return family;
}

/** Processor time of a process and all below it, in milliseconds. */
export async function familyCpuMs(pid: number): Promise<number> {
  const times = await Promise.all((await familyOf(pid)).map(cpuMsOf));
  return times.filter((time) => !Number.isNaN(time)).reduce((sum, time) => sum + time, 0);
}

/** Longest wait for a daemon to listen, in milliseconds: rspamd compiles its patterns first. */
const START_MS = 600_000;

/** Resolves when something listens there. */
export async function untilListening(port: number): Promise<void> {
  const end = performance.now() + START_MS;
  for (;;) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () =>
        resolve(false),
      );
      socket.once('close', () => resolve(false)).setTimeout(1000, () => socket.destroy());
    });
    if (isOpen) return;
    if (performance.now() > end) throw new Error(`Nothing listens on port ${port}.`);
    await sleep(200);
  }
}
