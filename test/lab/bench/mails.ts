import { setTimeout as sleep } from 'node:timers/promises';
import { startDns } from '../../edge/crowd/dns.ts';
import { startEnvironment } from '../../environment/environment.ts';
import { sendMail, type Via } from '../../environment/mail.ts';
import { newSenderKey, SENDER, senderZone } from '../../environment/sender.ts';
import { startService } from '../../environment/service-process.ts';
import { toHostAndPort } from '../../environment/story.ts';
import { forkChild } from './child.ts';
import type { Figure } from './figures.ts';
import { cpuMsOf } from './process-cpu.ts';
import { KIB, sizedMail } from './sized-mail.ts';
import { alternate, compare } from './statistics.ts';

/**
 * Senders at work at once. smtp-server greets after 100 ms, so that with fewer of them both sides would
 * wait for greetings instead of working.
 */
const SENDERS = 192;

/** Emails to each side in one round, and first: until then code is still being compiled. */
const EMAILS = 384;
const WARM_EMAILS = 2304;
const ROUNDS = 7;

/** A usual size, and the recipient of the yardstick's emails: it accepts any. */
const BYTES = 10 * KIB;
const ANYBODY = 'anybody@in.example.net';

/** Before an email that got a 4xx reply is sent again, in milliseconds: mail servers wait longer. */
const AGAIN_MS = 200;

/** The service's processor time, as a multiple of the yardstick's. */
const MOST_CPU = 6.5;

/** Sends an email as a mail server does: again until it is accepted. */
async function deliver(raw: Buffer, to: string, via: Via): Promise<void> {
  for (;;) {
    const code = await sendMail(
      { envelope: { from: `orders@${SENDER.domain}`, to }, raw },
      via,
    ).then(
      () => 250,
      (error: { responseCode?: number }) => error.responseCode ?? 0,
    );
    if (code === 250) return;
    if (code < 400 || code > 499) throw new Error(`An email got the reply ${code}.`);
    await sleep(AGAIN_MS);
  }
}

/** One batch of emails: processor time per email in milliseconds, and how many were accepted per second. */
interface Batch {
  readonly cpu: number;
  readonly pace: number;
}

async function run(mail: Buffer, recipients: readonly string[], via: Via, pid: number) {
  const left = [...recipients];
  const before = await cpuMsOf(pid);
  const begin = performance.now();
  const sender = async () => {
    for (let to = left.pop(); to !== undefined; to = left.pop()) await deliver(mail, to, via);
  };
  await Promise.all(Array.from({ length: SENDERS }, sender));
  const seconds = (performance.now() - begin) / 1000;
  const cpu = ((await cpuMsOf(pid)) - before) / recipients.length;
  return { cpu, pace: recipients.length / seconds } satisfies Batch;
}

/**
 * Emails accepted and analysed by the whole service, beside the same emails received and authenticated
 * and nothing else. Both are processes of their own, on one DNS server that answers at once.
 */
export async function benchMails(): Promise<readonly Figure[]> {
  await using stack = new AsyncDisposableStack();
  const key = newSenderKey();
  const dns = await startDns();
  stack.defer(dns.stop);
  await dns.call('setZone', senderZone(key));
  const environment = await startEnvironment({
    PATH: process.env.PATH,
    DNS_SERVERS: dns.address,
    SMTP_MAX_CLIENTS: '256',
  });
  stack.defer(environment.stop);
  const service = await startService({ env: environment.env, onLog: () => {} });
  stack.defer(service.stop);
  const plain = await forkChild<number>('./plain-smtp.ts', dns.address);
  stack.defer(plain.stop);

  const { http, smtp, pid } = service.listening();
  const { client } = environment;
  const via = { ...toHostAndPort(smtp), client };
  const plainVia = { host: '127.0.0.1', port: plain.output, client };
  const mail = await sizedMail(BYTES, ANYBODY, key);
  const ours = async (count = EMAILS) => {
    // Created before the clock starts.
    const addresses: string[] = [];
    while (addresses.length < count) {
      const answer = await fetch(`${http}/v1/tests`, { method: 'POST' });
      addresses.push(((await answer.json()) as { address: string }).address);
    }
    return run(mail, addresses, via, pid);
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
