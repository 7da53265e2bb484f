/** Lists the crowds that upload large emails. */

import { buffer } from 'node:stream/consumers';
import { createTransport } from 'nodemailer';
import { demoMail } from '../../environment/mail.ts';
import { hostileMails } from '../mail/mails.ts';
import { seconds } from '../row.ts';
import { type Attacker, type Crowd, inNetwork, scaled } from './crowd.ts';

const MIB = 1024 * 1024;

/** Bytes that are written at once at a limited rate. */
const PIECE = 16 * 1024;

/**
 * Sends one email as it is, at a rate in bytes per second if given, and counts the first digit of the reply.
 */
async function upload(
  attacker: Attacker,
  ip: string,
  mail: Uint8Array | string,
  rate?: number,
): Promise<void> {
  const { address } = await attacker.create();
  const client = await attacker.from(ip);
  const answer = await client.sendAll(
    'MAIL FROM:<orders@sender.example>',
    `RCPT TO:<${address}>`,
    'DATA',
  );
  if (!answer.startsWith('354')) return attacker.count('unsent');
  if (rate === undefined) client.write(mail);
  else
    for (let at = 0; at < mail.length && !attacker.isOver(); at += PIECE) {
      client.write(mail.slice(at, at + PIECE));
      await attacker.rest((1000 * PIECE) / rate);
    }
  client.write('\r\n.\r\n');
  attacker.count(`${(await client.reply())[0]}xx`);
}

/** Signed HTML emails by number of lines, each of 24 bytes. Each one is made once. */
const largeMails = new Map<number, Promise<Buffer>>();

/** Makes an email of nearly 10 MiB, or 1 MiB in the small form. */
const LINES = seconds === undefined ? 45_000 : 410_000;

function largeMailOf({ key }: Attacker, lines = LINES): Promise<Buffer> {
  const made = largeMails.get(lines);
  if (made) return made;
  const making = (async () => {
    const html = '<p><a href=x>y</a></p>\n'.repeat(lines);
    const { message } = await createTransport({ streamTransport: true }).sendMail({
      ...demoMail('a@in.example.net', key),
      html,
    });
    return buffer(message as never);
  })();
  largeMails.set(lines, making);
  return making;
}

const KIB = 1024;

/**
 * Sizes of honest emails, in bytes: for both kinds of workers, and around the steps in which memory is
 * claimed.
 */
const SIZES = [8 * KIB, 450 * KIB, 600 * KIB, MIB, 2 * MIB];

/** Rate of 100 Mbit/s, in bytes per second. */
const LINE = 100e6 / 8;

/** Uses one connection per network, which starts the next email when the previous one has its reply. */
const largeFrom = (
  networks: number,
  { line, lines }: { readonly line?: number; readonly lines?: number } = {},
): Crowd => ({
  name: [
    `large uploads, one after the other, from ${networks} networks`,
    ...(line ? ['at 100 Mbit/s in all'] : []),
    ...(lines ? [`of ${lines} lines`] : []),
  ].join(', '),
  input: {
    connections: networks,
    leadMs: 5000,
    step: async (attacker) =>
      upload(
        attacker,
        inNetwork(attacker.n, networks),
        await largeMailOf(attacker, lines),
        line && line / networks,
      ),
  },
  sizes: seconds === undefined ? [] : SIZES,
  budget: { recoveryMs: 10_000 },
  expected: { served: 0.95 },
});

/** The crowds of the long form, including emails around the size that is always let in. */
const longCrowds = () => [
  ...[8, 16, 24, 32, 64].map((networks) => largeFrom(networks)),
  largeFrom(64, { line: LINE }),
  largeFrom(64, { lines: 24_000 }),
  largeFrom(64, { lines: 100_000 }),
];

export const uploadCrowds: readonly Crowd[] = [
  ...(seconds === undefined ? [largeFrom(scaled(64))] : longCrowds()),
  {
    name: 'a hundred emails a minute of nearly 10 MiB from one customer’s network',
    input: {
      connections: scaled(60),
      async step(attacker) {
        const mail = await largeMailOf(attacker);
        await attacker.rest(1000 * (attacker.n % 36));
        if (attacker.isOver()) return;
        await upload(attacker, `198.51.100.${77 + (attacker.n % 3)}`, mail);
        await attacker.rest(36_000 - 1000 * (attacker.n % 36));
      },
    },
    budget: { mailMs: 3000 },
    expected: { served: 1, counts: { '2xx': [1, Number.POSITIVE_INFINITY] } },
  },
  {
    name: 'two hundred large emails at once, from as many clients',
    honest: 'visitors',
    input: {
      // Large emails are read one after another, so ten of them fill the whole time of the small form.
      connections: seconds === undefined ? 10 : 200,
      async step(attacker) {
        await upload(attacker, `198.51.${attacker.n}.7`, await largeMailOf(attacker));
        await attacker.rest();
      },
    },
    budget: { p99Ms: 100, worstMs: 250 },
    expected: { served: 0.95 },
  },
  {
    name: 'emails made to be expensive, one after the other',
    input: {
      connections: 1,
      async step(attacker) {
        const all = Object.values(hostileMails(seconds === undefined ? MIB : 9 * MIB));
        for (const [at, make] of all.entries()) {
          if (attacker.isOver()) return;
          await upload(attacker, `10.${at}.0.1`, make()).catch(() => attacker.count('cut off'));
        }
      },
    },
    budget: { pauseMs: 50 },
    expected: { served: 0.95 },
  },
];
