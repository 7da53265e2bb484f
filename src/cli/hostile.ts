import { createReader } from '../adapters/worker-pool/reader.ts';
import { hostileMails, wholeMail } from './hostile/mails.ts';
import { readHostile } from './hostile/read-hostile.ts';

/** What a mail may cost at most, in milliseconds: the two deadlines of a reading; the main thread. */
const MAX_READING_MS = 25_000;
const MAX_MAIN_MS = 50;

const MIB = 1024 * 1024;

/**
 * `cli.ts hostile`: reads mails made to break their reader in a real worker and prints what each
 * cost. Resolves to the exit code: 1 when one took too long.
 */
export async function runHostile(): Promise<number> {
  const workerUrl = new URL('../worker.ts', import.meta.url);
  const reader = createReader({ workerUrl, threads: 1 });
  let slow = 0;
  try {
    // The first mail pays for the start of the worker.
    await readHostile(reader.read, wholeMail);
    console.log('    ms  main ms  pause ms  DNS  MiB  parts  mail');
    for (const [name, make] of Object.entries(hostileMails())) {
      const mail = make();
      const one = await readHostile(reader.read, mail);
      const parts = `${one.authentication ? 'a' : '-'}${one.content ? 'c' : '-'}`;
      const numbers = [
        one.milliseconds.toFixed(0).padStart(6),
        one.mainMs.toFixed(1).padStart(8),
        one.pauseMs.toFixed(1).padStart(9),
        String(one.questions).padStart(4),
        (mail.length / MIB).toFixed(1).padStart(4),
      ];
      const isSlow = one.milliseconds > MAX_READING_MS || one.mainMs > MAX_MAIN_MS;
      console.log(`${numbers.join(' ')}  ${parts.padEnd(5)}  ${name}${isSlow ? '  TOO SLOW' : ''}`);
      slow += Number(isSlow);
    }
    const heap = process.memoryUsage().rss / MIB;
    console.log(`resident: ${heap.toFixed(0)} MiB`);
  } finally {
    await reader.close();
  }
  return slow === 0 ? 0 : 1;
}
