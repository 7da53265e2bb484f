import { setTimeout as sleep } from 'node:timers/promises';
import type { SendMailOptions } from 'nodemailer';
import { sendMail, type Via } from '../../../environment/mail.ts';
import { SENDER } from '../../../environment/sender.ts';

/** Before it tries again, in milliseconds: mail servers wait longer, and here nobody does. */
const PAUSE_MS = 200;

const isTemporary = (error: unknown): boolean =>
  error instanceof Error &&
  'responseCode' in error &&
  Math.floor(Number(error.responseCode) / 100) === 4;

/**
 * Sends a mail until it is taken, as a mail server does.
 *
 * @returns how often it was answered 4xx
 */
export async function deliver(raw: SendMailOptions['raw'], to: string, via: Via): Promise<number> {
  for (let refusals = 0; ; refusals += 1) {
    try {
      await sendMail({ envelope: { from: `orders@${SENDER.domain}`, to }, raw }, via);
      return refusals;
    } catch (error) {
      if (!isTemporary(error)) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
