import type { Via } from '../../../environment/mail.ts';
import { type SmtpClient, smtpClient } from '../../../support/mail/smtp-client.ts';

/** A reply that is no yes; at the greeting and in place of any other reply, too. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: number;

  constructor(reply: string) {
    super(reply);
    this.code = Number(reply.slice(0, 3));
  }
}

/** @throws a `Refusal`; or another error when the server closes without a word */
export function accepted(reply: string): void {
  if (/^[45]/.test(reply)) throw new Refusal(reply);
}

/**
 * A session whose next bytes are the mail's. Written by hand: a mail library would take more time than
 * what is measured.
 *
 * @param from its domain, which HELO names too
 */
export async function openTransaction(
  { port, client }: Pick<Via, 'port' | 'client'>,
  {
    from,
    to,
    patienceMs,
  }: { readonly from: string; readonly to: string; readonly patienceMs?: number },
): Promise<SmtpClient> {
  const session = await smtpClient(port, false, patienceMs);
  const stated = client
    ? [`EHLO ${from}`, `XCLIENT ADDR=${client.ip} NAME=${client.host} HELO=${client.host}`]
    : [];
  try {
    accepted(await session.reply());
    for (const command of [
      ...stated,
      `EHLO ${client?.host ?? from}`,
      `MAIL FROM:<orders@${from}>`,
      `RCPT TO:<${to}>`,
      'DATA',
    ])
      accepted(await session.send(command));
    return session;
  } catch (error) {
    session.vanish();
    throw error;
  }
}

/** A mail as it goes over the wire after DATA (RFC 5321 §4.5.2). */
export const asContent = (mail: Buffer): Buffer =>
  Buffer.from(`${mail.toString('latin1').replaceAll('\r\n.', '\r\n..')}\r\n.\r\n`, 'latin1');
