import type { Via } from '../../../environment/mail.ts';
import { type SmtpClient, smtpClient } from '../../../support/mail/smtp-client.ts';

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
  const session = await smtpClient(port, true, patienceMs);
  const stated = client && `XCLIENT ADDR=${client.ip} NAME=${client.host} HELO=${client.host}`;
  if (stated) await session.sendAll(`EHLO ${from}`, stated);
  await session.sendAll(`EHLO ${client?.host ?? from}`, `MAIL FROM:<orders@${from}>`);
  await session.sendAll(`RCPT TO:<${to}>`, 'DATA');
  return session;
}

/** A mail as it goes over the wire after DATA (RFC 5321 §4.5.2). */
export const asContent = (mail: Buffer): Buffer =>
  Buffer.from(`${mail.toString('latin1').replaceAll('\r\n.', '\r\n..')}\r\n.\r\n`, 'latin1');
