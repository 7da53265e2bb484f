import { newSenderKey } from '../../environment/sender.ts';
import { hostileAnswers } from './answers.ts';
import { MIB } from './build.ts';
import { hostileMails, wholeMail } from './mails.ts';
import { startAnswersReader } from './read-answers.ts';
import { startHostileReader } from './read-hostile.ts';
import { startPassage } from './through-service.ts';

/** What a mail may cost at most, in milliseconds: the two deadlines of a reading; the main thread. */
const MAX_READING_MS = 25_000;
const MAX_MAIN_MS = 50;

/** Below what the receiver takes, however a mail is built: none is refused for its size alone. */
const LARGE_BYTES = 9 * MIB;

/** Mails read through the whole service before the first that counts: its code is compiled then. */
const WARM_UP = 20;

const column = (value: number | string, width: number, digits = 0) =>
  (typeof value === 'number' ? value.toFixed(digits) : value).padStart(width);

/** Analyses of each hostile DNS: the cheapest counts, which is the least of other programs' doing. */
const RUNS = 3;

/**
 * `npm run lab -- hostile`: mails and DNS data made to break their reader, and what each cost: alone, or
 * with `--service` sent by SMTP to the whole service while a client polls. Resolves to the exit
 * code: 1 when one took too long.
 */
export async function runHostile(args: readonly string[]): Promise<number> {
  const slow = args.includes('--service')
    ? await throughService()
    : (await inWorker()) + (await withAnswers());
  return slow === 0 ? 0 : 1;
}

async function inWorker(): Promise<number> {
  const reader = await startHostileReader();
  let slow = 0;
  try {
    // The first mail pays for the start of the worker.
    await reader.read(wholeMail);
    console.log('    ms  main ms  pause ms  MiB  report  mail');
    for (const [name, make] of Object.entries(hostileMails())) {
      const mail = make();
      const one = await reader.read(mail);
      const isWhole = one.report !== null && !one.report.includes('in time');
      const numbers = [
        column(one.milliseconds, 6),
        column(one.mainMs, 8, 1),
        column(one.pauseMs, 9, 1),
        column(mail.length / MIB, 4, 1),
      ];
      const isSlow = one.milliseconds > MAX_READING_MS || one.mainMs > MAX_MAIN_MS || !isWhole;
      console.log(
        `${numbers.join(' ')}  ${isWhole ? 'whole ' : 'PARTIAL'}  ${name}${isSlow ? '  TOO SLOW' : ''}`,
      );
      slow += Number(isSlow);
    }
    console.log(`resident: ${column(process.memoryUsage().rss / MIB, 0)} MiB`);
  } finally {
    await reader.stop();
  }
  return slow;
}

async function withAnswers(): Promise<number> {
  const reader = await startAnswersReader();
  let slow = 0;
  try {
    for (let mail = 0; mail < WARM_UP; mail++) await reader.read({ zone: {}, mail: wholeMail });
    console.log('    ms  main ms  DNS of the sender');
    for (const [name, make] of Object.entries(hostileAnswers(newSenderKey()))) {
      const answers = make();
      const runs = [];
      for (let run = 0; run < RUNS; run++) runs.push(await reader.read(answers));
      const milliseconds = Math.min(...runs.map((one) => one.milliseconds));
      const mainMs = Math.min(...runs.map((one) => one.mainMs));
      const isSlow = milliseconds > MAX_READING_MS || mainMs > MAX_MAIN_MS;
      console.log(
        `${column(milliseconds, 6)} ${column(mainMs, 8, 1)}  ${name}${isSlow ? '  TOO SLOW' : ''}`,
      );
      slow += Number(isSlow);
    }
  } finally {
    await reader.stop();
  }
  return slow;
}

/** Everything hostile that can be sent, with what the sender publishes. */
function* passages({ key, publish }: Awaited<ReturnType<typeof startPassage>>) {
  for (const [name, make] of Object.entries(hostileMails(LARGE_BYTES)))
    yield { name, mail: make() };
  for (const [name, make] of Object.entries(hostileAnswers(key))) {
    const { zone, mail } = make();
    if (publish(zone)) yield { name, mail };
  }
}

async function throughService(): Promise<number> {
  const passage = await startPassage(process.env);
  let slow = 0;
  let [polls, slowestPollMs, pauseMs] = [0, 0, 0];
  try {
    for (let mail = 0; mail < WARM_UP; mail++) await passage.pass(wholeMail);
    console.log('    ms  pause ms  slowest poll ms  polls  MiB  reply  mail');
    for (const { name, mail } of passages(passage)) {
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
