import type { Via } from '../../../environment/mail.ts';
import type { Figure } from '../figures.ts';
import { cpuMsOf, mainThreadMsOf } from '../process-cpu.ts';
import { KIB, MIB, SIZES, sizedMail, sizeName } from '../sized-mail.ts';
import { alternate, compare, median } from '../statistics.ts';
import { deliver } from './deliver.ts';
import type { MailEnvironment } from './environment.ts';

/**
 * Mails under way at a time. smtp-server greets after 100 ms, so that with few of them nothing but
 * the greetings would be measured.
 */
const MAX_SENDERS = 64;
const SENDING_BYTES = 8 * MIB;

/** Sent to each side in one round. */
const MAX_MAILS = 256;
const ROUND_BYTES = 16 * MIB;

/** Mails of 10 KiB sent to each side first: until then code is still being compiled. */
const WARM_MAILS = 2048;
const WARM_UPS = 1;
const ROUNDS = 5;

/** A mail of a usual size. */
const HELD_BYTES = 10 * KIB;
const LEAST = 0.4;

/** Processor time of the service for such a mail, in milliseconds. */
const MOST_CPU_MS = 6.5;
const MOST_MAIN_MS = 2;

/** To whom the yardstick's mails go: it takes all. */
const ANYBODY = 'anybody@in.example.net';

/** Mails taken in a second. */
async function pace(mail: Buffer, recipients: readonly string[], via: Via): Promise<number> {
  const senders = Math.min(MAX_SENDERS, Math.floor(SENDING_BYTES / mail.length));
  const left = [...recipients];
  const begin = performance.now();
  const sender = async () => {
    for (let to = left.pop(); to !== undefined; to = left.pop()) await deliver(mail, to, via);
  };
  await Promise.all(Array.from({ length: senders }, sender));
  return (recipients.length / (performance.now() - begin)) * 1000;
}

/** Mails accepted and analysed, against the same mails received and authenticated and no more. */
export async function measureThroughput(environment: MailEnvironment): Promise<Figure[]> {
  const figures: Figure[] = [];
  const create = async (count: number) => {
    const addresses: string[] = [];
    while (addresses.length < count) addresses.push((await environment.create()).address);
    return addresses;
  };
  const usual = await sizedMail(HELD_BYTES, ANYBODY, environment.key);
  await pace(usual, await create(WARM_MAILS), environment.via);
  await pace(usual, Array(WARM_MAILS).fill(ANYBODY), environment.plainVia);
  for (const size of SIZES) {
    const mail = await sizedMail(size, ANYBODY, environment.key);
    const count = Math.min(MAX_MAILS, Math.round(ROUND_BYTES / size));
    const cpu: number[] = [];
    const main: number[] = [];
    const ours = async () => {
      // Created before the clock starts.
      const addresses = await create(count);
      const before = await cpuMsOf(environment.pid);
      const mainBefore = await mainThreadMsOf(environment.pid);
      const mailsASecond = await pace(mail, addresses, environment.via);
      cpu.push(((await cpuMsOf(environment.pid)) - before) / count);
      main.push(((await mainThreadMsOf(environment.pid)) - mainBefore) / count);
      return mailsASecond;
    };
    const plain = () => pace(mail, Array(count).fill(ANYBODY), environment.plainVia);
    await alternate(WARM_UPS, ours, plain);
    figures.push({
      what: `mails analysed, ${sizeName(size)}`,
      unit: 'a second',
      ...compare(await alternate(ROUNDS, ours, plain)),
      ...(size === HELD_BYTES && { target: { least: LEAST } }),
    });
    figures.push({
      what: `CPU of the service for a mail, ${sizeName(size)}`,
      value: median(cpu.slice(WARM_UPS)),
      unit: 'ms',
      ...(size === HELD_BYTES && { target: { most: MOST_CPU_MS } }),
    });
    figures.push({
      what: `of that its main thread, ${sizeName(size)}`,
      value: median(main.slice(WARM_UPS)),
      unit: 'ms',
      ...(size === HELD_BYTES && { target: { most: MOST_MAIN_MS } }),
    });
  }
  return figures;
}
