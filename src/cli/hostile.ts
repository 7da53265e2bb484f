import { createReader } from '../adapters/worker-pool/reader.ts';
import { MIB } from './hostile/build.ts';
import { hostileMails, wholeMail } from './hostile/mails.ts';
import { readHostile } from './hostile/read-hostile.ts';
import { startPassage } from './hostile/through-service.ts';

/** What a mail may cost at most, in milliseconds: the two deadlines of a reading; the main thread. */
const MAX_READING_MS = 25_000;
const MAX_MAIN_MS = 50;

/** Below what the receiver takes, however a mail is built: none is refused for its size alone. */
const LARGE_BYTES = 9 * MIB;

/** Mails read through the whole service before the first that counts: its code is compiled then. */
const WARM_UP = 20;

const column = (value: number | string, width: number, digits = 0) =>
  (typeof value === 'number' ? value.toFixed(digits) : value).padStart(width);

/**
 * `cli.ts hostile`: mails made to break their reader, and what each cost: alone in a worker, or
 * with `--service` sent by SMTP to the whole service while a client polls. Resolves to the exit
 * code: 1 when one took too long.
 */
export async function runHostile(args: readonly string[]): Promise<number> {
  const slow = args.includes('--service') ? await throughService() : await inWorker();
  return slow === 0 ? 0 : 1;
}

async function inWorker(): Promise<number> {
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
        column(one.milliseconds, 6),
        column(one.mainMs, 8, 1),
        column(one.pauseMs, 9, 1),
        column(one.questions, 4),
        column(mail.length / MIB, 4, 1),
      ];
      const isSlow = one.milliseconds > MAX_READING_MS || one.mainMs > MAX_MAIN_MS;
      console.log(`${numbers.join(' ')}  ${parts.padEnd(5)}  ${name}${isSlow ? '  TOO SLOW' : ''}`);
      slow += Number(isSlow);
    }
    console.log(`resident: ${column(process.memoryUsage().rss / MIB, 0)} MiB`);
  } finally {
    await reader.close();
  }
  return slow;
}

async function throughService(): Promise<number> {
  const passage = await startPassage(process.env);
  let slow = 0;
  let [polls, slowestPollMs, pauseMs] = [0, 0, 0];
  try {
    for (let mail = 0; mail < WARM_UP; mail++) await passage.pass(wholeMail);
    console.log('    ms  pause ms  slowest poll ms  polls  MiB  reply  mail');
    for (const [name, make] of Object.entries(hostileMails(LARGE_BYTES))) {
      const mail = make();
      const one = await passage.pass(mail);
      const numbers = [
        column(one.milliseconds, 6),
        column(one.pauseMs, 9, 1),
        column(one.slowestPollMs, 16, 1),
        column(one.polls, 6),
        column(mail.length / MIB, 4, 1),
        column(one.reply, 6),
      ];
      const isSlow = one.milliseconds > MAX_READING_MS || one.pauseMs > MAX_MAIN_MS;
      console.log(`${numbers.join(' ')}  ${name}${isSlow ? '  TOO SLOW' : ''}`);
      slow += Number(isSlow);
      polls += one.polls;
      slowestPollMs = Math.max(slowestPollMs, one.slowestPollMs);
      pauseMs = Math.max(pauseMs, one.pauseMs);
    }
  } finally {
    await passage.stop();
  }
  console.log(
    `longest pause of the event loop: ${column(pauseMs, 0, 1)} ms; slowest of ${polls} polls: ${column(slowestPollMs, 0, 1)} ms`,
  );
  return slow;
}
