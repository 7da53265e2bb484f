/**
 * Measures the processor time and the rate of emails through the whole service, beside an SMTP server that
 * only receives and authenticates them.
 */

import { startDns } from '../../edge/crowd/dns.ts';
import type { Via } from '../../environment/mail.ts';
import { newSenderKey, senderZone } from '../../environment/sender.ts';
import { forkChild } from './child.ts';
import type { Figure } from './figures.ts';
import { deliver, inLanes, startMeasured } from './measured-service.ts';
import { cpuMsOf } from './process-cpu.ts';
import { KIB, sizedMail } from './sized-mail.ts';
import { alternate, compare } from './statistics.ts';

/**
 * Senders that work at once. smtp-server greets after 100 ms, so with fewer senders both sides would wait for
 * greetings instead of working.
 */
const SENDERS = 192;

/** Emails to each side per round. */
const EMAILS = 384;
const ROUNDS = 15;

/**
 * Emails to each side before the first round. V8 compiles code that runs often in the background: during the
 * first 2,000 emails, that takes as long as a quarter of the work, and from then on less and less.
 */
const WARM_EMAILS = 7680;

/** Size of the emails, a usual one, and the recipient of the yardstick's emails, which accepts any. */
const BYTES = 10 * KIB;
const ANYBODY = 'anybody@in.example.net';

/** Largest processor time of the service, as a multiple of the yardstick's. */
const MOST_CPU = 6.5;

/** Cost of a batch of emails: processor time per email in milliseconds, and emails accepted per second. */
interface Batch {
  readonly cpu: number;
  readonly pace: number;
}

async function run(mail: Buffer, recipients: readonly string[], via: Via, pid: number) {
  const before = await cpuMsOf(pid);
  const begin = performance.now();
  await inLanes(
    SENDERS,
    recipients.map((to) => () => deliver(() => mail, to, via)),
  );
  const seconds = (performance.now() - begin) / 1000;
  const cpu = ((await cpuMsOf(pid)) - before) / recipients.length;
  return { cpu, pace: recipients.length / seconds } satisfies Batch;
}

/**
 * Measures emails that the whole service accepts and analyses, beside the same emails only received and
 * authenticated. Both are separate processes, with one DNS server that answers at once.
 */
export async function benchMails(): Promise<readonly Figure[]> {
  await using stack = new AsyncDisposableStack();
  const key = newSenderKey();
  const dns = await startDns();
  stack.defer(dns.stop);
  await dns.call('setZone', senderZone(key));
  const service = await startMeasured(dns.address);
  stack.defer(service.stop);
  const plain = await forkChild<number>('./plain-smtp.ts', dns.address);
  stack.defer(plain.stop);

  const { via, pid, createTests } = service;
  const plainVia = { host: '127.0.0.1', port: plain.output, client: via.client };
  const mail = await sizedMail(BYTES, ANYBODY, key);
  const ours = async (count = EMAILS) => {
    // Created before the clock starts.
    const tests = await createTests(count);
    return run(
      mail,
      tests.map(({ address }) => address),
      via,
      pid,
    );
  };
  const yardstick = (count = EMAILS) => run(mail, Array(count).fill(ANYBODY), plainVia, plain.pid);
  await ours(WARM_EMAILS);
  await yardstick(WARM_EMAILS);
  const pairs = await alternate(ROUNDS, ours, yardstick);
  const figure = (of: (batch: Batch) => number) =>
    compare(pairs.map((pair) => ({ ours: of(pair.ours), yardstick: of(pair.yardstick) })));
  return [
    {
      what: 'CPU of the service for an email of 10 KiB',
      unit: 'ms',
      ...figure(({ cpu }) => cpu),
      target: { most: MOST_CPU },
    },
    {
      what: 'such emails accepted and analysed',
      unit: 'a second',
      ...figure(({ pace }) => pace),
    },
  ];
}
