import { buffer } from 'node:stream/consumers';
import { createTransport } from 'nodemailer';
import { demoMail } from '../../environment/mail.ts';
import {
  type Attack,
  attackers,
  pause,
  quantile,
  sendHonestMails,
  undisturbedReport,
} from './attack.ts';
import { startFlooder } from './flooder.ts';
import { startProbe } from './probe.ts';
import type { Target } from './target.ts';
import { startUploader } from './uploader.ts';

const FROM = 'MAIL FROM:<a@silent.example>';
const MIB = 2 ** 20;

const takenOf = (codes: readonly number[]) => codes.filter((code) => code === 250).length;

/** Connections that begin a mail and never send it, from ten addresses and from one IPv6 /64. */
export const holders: Attack = {
  threshold: 'at least 99 % of honest mails taken at the first try',
  async run(target, seconds) {
    const { address } = await target.create();
    const attack = attackers(200, async (attacker) => {
      const even = attacker % 2 === 0;
      const ip = even ? `198.51.${100 + (attacker % 20)}.7` : `2001:db8::${attacker.toString(16)}`;
      const client = await target.attackFrom(ip);
      try {
        await client.sendAll(FROM, `RCPT TO:<${address}>`);
        while (!attack.isOver()) {
          await client.send('NOOP');
          await pause(500);
        }
      } finally {
        client.vanish();
      }
    });
    await pause(1000);
    const { codes } = await sendHonestMails(target, seconds);
    await attack.stop();
    const taken = takenOf(codes);
    return { measured: `${taken} of ${codes.length} taken`, holds: taken >= codes.length * 0.99 };
  },
};

/** Commands and mails a byte at a time, from as many clients as there are places. */
export const slowSmtp: Attack = {
  threshold: 'at least 99 % of honest mails taken at the first try, reports as ever',
  async run(target, seconds) {
    const expected = await undisturbedReport(target);
    const attack = attackers(150, async (attacker) => {
      const client = await target.attackFrom(`198.51.${attacker}.7`);
      let isOpen = true;
      void client.closed.then(() => {
        isOpen = false;
      });
      try {
        if (attacker % 2 === 0) {
          const { address } = await target.create();
          await client.sendAll(FROM, `RCPT TO:<${address}>`, 'DATA');
        }
        while (isOpen && !attack.isOver()) {
          client.write('a');
          await pause(250);
        }
      } finally {
        client.vanish();
      }
    });
    await pause(1000);
    const { codes, different } = await sendHonestMails(target, seconds, expected);
    await attack.stop();
    const taken = takenOf(codes);
    return {
      measured: `${taken} of ${codes.length} taken, ${different} with another report`,
      holds: taken >= codes.length * 0.99 && different === 0,
    };
  },
};

/** One recipient after the other that is no test's. */
export const unknownRecipients: Attack = {
  threshold: 'at most 20 a connection',
  async run(target) {
    const client = await target.attackFrom('198.51.100.9');
    await client.send(FROM);
    let tried = 0;
    let last = '550';
    for (; last.startsWith('550') && tried < 100; tried++)
      last = await client.send(`RCPT TO:<zzzzzzzzzz${tried + 22}@in.example.net>`).catch(() => '');
    client.vanish();
    return { measured: `cut after ${tried}`, holds: tried <= 20 };
  },
};

/** A signed mail of nearly the largest size, whose every tag has to be read. */
async function hostileMail(target: Target): Promise<Buffer> {
  const transport = createTransport({ streamTransport: true });
  const { message } = await transport.sendMail({
    ...demoMail('a@in.example.net', target.key),
    html: '<p><a href=x>y</a></p>\n'.repeat(410_000),
  });
  const mail = await buffer(message as NodeJS.ReadableStream);
  if (mail.length > 10 * MIB || mail.length < 8 * MIB)
    throw new Error(`It has ${mail.length} bytes.`);
  return mail;
}

/** What is sent a minute, and the connections that wait for an answer meanwhile: a /24 may have 80. */
const A_MINUTE = 100;
const CONNECTIONS = 60;

/** A hundred mails a minute of nearly 10 MiB from one customer's network, while small ones come from another. */
export const largeMails: Attack = {
  threshold: 'small mails: no 451, p99 at most 3 s; 100 large ones a minute are sent',
  async run(target, seconds) {
    const uploader = await startUploader(target.port, await hostileMail(target));
    const due = performance.now();
    let begun = 0;
    const replies: string[] = [];
    const attack = attackers(CONNECTIONS, async (attacker) => {
      const wait = due + (begun * 60_000) / A_MINUTE - performance.now();
      begun += 1;
      await pause(Math.max(1, wait));
      if (attack.isOver()) return;
      const { address } = await target.create();
      replies.push(await uploader.upload(`198.51.100.${77 + (attacker % 3)}`, address));
    });
    const { codes, times } = await sendHonestMails(target, seconds);
    const elapsed = performance.now() - due;
    // What was begun by now is answered later.
    await attack.stop();
    await uploader.stop();
    const uploads = replies.filter((reply) => !reply.startsWith('unsent')).length;
    const sent = Math.round((uploads * 60_000) / elapsed);
    const p99 = quantile(times, 0.99);
    const refused = codes.length - takenOf(codes);
    return {
      measured: `${refused} of ${codes.length} not taken, p99 ${Math.round(p99)} ms, beside ${sent} large mails a minute (${tally(replies)})`,
      holds: refused === 0 && p99 <= 3000 && sent >= A_MINUTE * 0.9,
    };
  },
};

/** How often each code was answered. */
const tally = (replies: readonly string[]) =>
  [...Map.groupBy(replies, (reply) => /^\w+/.exec(reply)?.[0])]
    .map(([code, all]) => `${all.length} × ${code}`)
    .join(', ');

/** Two hundred large mails at once, from as many clients. */
export const uploads: Attack = {
  threshold: 'API meanwhile: p99 at most 100 ms, worst 250 ms',
  async run(target) {
    const uploader = await startUploader(target.port, await hostileMail(target));
    const tests = await Promise.all(Array.from({ length: 200 }, target.create));
    const probe = await startProbe(`${target.http}/v1/tests/${tests[0]?.test_id}/status`);
    await pause(2000);
    const calm = await probe.take();
    const replies = await Promise.all(
      tests.map(({ address }, i) =>
        uploader.upload(`198.51.${i}.7`, address).catch(() => 'closed'),
      ),
    );
    const times = await probe.stop();
    await uploader.stop();
    const [p99, worst] = [quantile(times, 0.99), Math.max(...times)].map(Math.round);
    return {
      measured: `p99 ${p99} ms, worst ${worst} ms of ${times.length} (before: worst ${Math.round(Math.max(...calm))} ms); ${tally(replies)}`,
      holds: (p99 ?? 0) <= 100 && (worst ?? 0) <= 250,
    };
  },
};

/** What the process of the service may take more than before, in MiB: a young one grows by itself. */
const MORE_MIB = 300;

/** Commands without end on the connections of one client, whose replies half of them never read. */
export const commands: Attack = {
  threshold: `honest mails taken, an honest call: p99 at most 250 ms; at most ${MORE_MIB} MiB more`,
  async run(target, seconds) {
    const { test_id } = await target.create();
    const probe = await startProbe(`${target.http}/v1/tests/${test_id}/status`);
    const flooder = await startFlooder();
    const before = target.memoryMib();
    await flooder.call('begin', { port: target.port, ip: '198.51.100.66', connections: 20 });
    const { codes } = await sendHonestMails(target, seconds);
    const more = target.memoryMib() - before;
    const { connections, bytes } = await flooder.call('counts');
    await flooder.stop();
    const p99 = Math.round(quantile(await probe.stop(), 0.99));
    return {
      measured: `${takenOf(codes)} of ${codes.length} taken, p99 ${p99} ms, ${more} MiB more; ${Math.round(bytes / MIB)} MiB of commands on ${connections} connections`,
      holds: takenOf(codes) === codes.length && p99 <= 250 && more <= MORE_MIB,
    };
  },
};
