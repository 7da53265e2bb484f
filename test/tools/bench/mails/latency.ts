import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendMail } from '../../../environment/mail.ts';
import { SENDER } from '../../../environment/sender.ts';
import type { Figure } from '../figures.ts';
import { KIB, SIZES, sizedMail, sizeName } from '../sized-mail.ts';
import { quantile } from '../statistics.ts';
import type { MailEnvironment } from './environment.ts';

const WARM_UPS = 20;
const MAX_MAILS = 100;
const ALL_BYTES = 16 * 1024 * KIB;

/** Between two polls, in milliseconds: more would take the time of the service. */
const POLL_MS = 1;

/** A mail of a usual size, in milliseconds. */
const HELD_BYTES = 10 * KIB;
const MOST_MS: Readonly<Record<string, number>> = { p50: 20, p99: 40 };

/** From the last byte of the mail, as the client hands it over, to the poll that says `ready`. */
async function timeOf(mail: Buffer, environment: MailEnvironment): Promise<number> {
  const test = await environment.create();
  const { promise: handedOver, resolve: onHandedOver } = Promise.withResolvers<number>();
  const raw = Readable.from([mail]).once('end', () => onHandedOver(performance.now()));
  const envelope = { from: `orders@${SENDER.domain}`, to: test.address };
  const sent = sendMail({ envelope, raw }, environment.via);
  const begin = await Promise.race([handedOver, sent.then(() => handedOver)]);
  while ((await environment.status(test)) !== 'ready') await sleep(POLL_MS);
  const took = performance.now() - begin;
  await sent;
  return took;
}

/** How long a sender who polls waits for `ready`, one mail at a time. */
export async function measureLatency(environment: MailEnvironment): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const size of SIZES) {
    const mail = await sizedMail(size, 'anybody@in.example.net', environment.key);
    const took: number[] = [];
    const count = Math.min(MAX_MAILS, Math.round(ALL_BYTES / size));
    for (let n = 0; n < WARM_UPS; n += 1) await timeOf(mail, environment);
    while (took.length < count) took.push(await timeOf(mail, environment));
    for (const [name, most] of Object.entries(MOST_MS))
      figures.push({
        what: `last byte to ready, ${sizeName(size)}, ${name}`,
        value: quantile(took, Number(name.slice(1)) / 100),
        unit: 'ms',
        ...(size === HELD_BYTES && { target: { most } }),
      });
  }
  return figures;
}
