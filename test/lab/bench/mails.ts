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
import { alternate, compare, median } from './statistics.ts';

/**
 * Mails under way at a time. smtp-server greets after 100 ms, so that with few of them nothing but
 * the greetings would be measured.
 */
const SENDERS = 64;

/** Sent to each side in one round, and first: until then code is still being compiled. */
const MAILS = 256;
const WARM_MAILS = 2048;
const ROUNDS = 5;

/** A mail of a usual size, and to whom the yardstick's go: it takes all. */
const BYTES = 10 * KIB;
const ANYBODY = 'anybody@in.example.net';

/** Before a mail that was answered 4xx is sent again, in milliseconds: mail servers wait longer. */
const AGAIN_MS = 200;

/** Mails in a second, of the yardstick's; processor time of the service for one, in milliseconds. */
const LEAST = 0.4;
const MOST_CPU_MS = 6.5;

/** Until it is taken, as a mail server sends it. */
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
    if (code < 400 || code > 499) throw new Error(`A mail was answered ${code}.`);
    await sleep(AGAIN_MS);
  }
}

/** Mails taken in a second. */
async function pace(mail: Buffer, recipients: readonly string[], via: Via): Promise<number> {
  const left = [...recipients];
  const begin = performance.now();
  const sender = async () => {
    for (let to = left.pop(); to !== undefined; to = left.pop()) await deliver(mail, to, via);
  };
  await Promise.all(Array.from({ length: SENDERS }, sender));
  return (recipients.length / (performance.now() - begin)) * 1000;
}

/**
 * Mails accepted and analysed by the whole service, beside the same mails received and authenticated
 * and no more. Both are processes of their own, on one DNS server that answers at once.
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
  const cpu: number[] = [];
  const ours = async (count = MAILS) => {
    // Created before the clock starts.
    const addresses: string[] = [];
    while (addresses.length < count) {
      const answer = await fetch(`${http}/v1/tests`, { method: 'POST' });
      addresses.push(((await answer.json()) as { address: string }).address);
    }
    const before = await cpuMsOf(pid);
    const mailsASecond = await pace(mail, addresses, via);
    cpu.push(((await cpuMsOf(pid)) - before) / count);
    return mailsASecond;
  };
  const yardstick = (count = MAILS) => pace(mail, Array(count).fill(ANYBODY), plainVia);
  await ours(WARM_MAILS);
  await yardstick(WARM_MAILS);
  cpu.length = 0;
  const pairs = await alternate(ROUNDS, ours, yardstick);
  return [
    {
      what: 'mails of 10 KiB taken and analysed',
      unit: 'a second',
      ...compare(pairs),
      target: { least: LEAST },
    },
    {
      what: 'CPU of the service for such a mail',
      value: median(cpu),
      unit: 'ms',
      target: { most: MOST_CPU_MS },
    },
  ];
}
