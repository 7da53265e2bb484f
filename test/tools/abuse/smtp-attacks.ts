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
import { startProbe } from './probe.ts';
import type { Target } from './target.ts';

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

/** Hands over a mail as it is; gives the code of the reply. */
async function upload(target: Target, ip: string, mail: Buffer): Promise<string> {
  const { address } = await target.create();
  const client = await target.attackFrom(ip);
  try {
    await client.sendAll('MAIL FROM:<orders@sender.example>', `RCPT TO:<${address}>`, 'DATA');
    client.write(mail);
    client.write('\r\n.\r\n');
    return await client.reply();
  } finally {
    client.vanish();
  }
}

/** A hundred mails a minute of nearly 10 MiB from one client, while small ones come from another. */
export const largeMails: Attack = {
  threshold: 'small mails: no 451, p99 at most 3 s',
  async run(target, seconds) {
    const mail = await hostileMail(target);
    let sent = 0;
    let due = performance.now();
    const attack = attackers(10, async () => {
      due = Math.max(due + 600, performance.now());
      await pause(Math.max(1, due - performance.now()));
      if (attack.isOver()) return;
      sent += 1;
      await upload(target, '198.51.100.77', mail);
    });
    const { codes, times } = await sendHonestMails(target, seconds);
    await attack.stop();
    const p99 = quantile(times, 0.99);
    const refused = codes.length - takenOf(codes);
    return {
      measured: `${refused} of ${codes.length} not taken, p99 ${Math.round(p99)} ms, beside ${sent} large mails`,
      holds: refused === 0 && p99 <= 3000,
    };
  },
};

/** Two hundred large mails at once, from as many clients. */
export const uploads: Attack = {
  threshold: 'API meanwhile: p99 at most 100 ms, worst 250 ms',
  async run(target) {
    const mail = await hostileMail(target);
    const { test_id } = await target.create();
    const url = `${target.http}/v1/tests/${test_id}/status`;
    const probe = await startProbe(url);
    await pause(2000);
    const calm = await probe.take();
    const replies = await Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        upload(target, `198.51.${i}.7`, mail).catch(() => 'closed'),
      ),
    );
    const times = await probe.stop();
    const [p99, worst] = [quantile(times, 0.99), Math.max(...times)].map(Math.round);
    const codes = Map.groupBy(replies, (reply) => reply.slice(0, 3));
    const said = [...codes].map(([code, all]) => `${all.length} × ${code}`).join(', ');
    return {
      measured: `p99 ${p99} ms, worst ${worst} ms of ${times.length} (before: worst ${Math.round(Math.max(...calm))} ms); ${said}`,
      holds: (p99 ?? 0) <= 100 && (worst ?? 0) <= 250,
    };
  },
};
