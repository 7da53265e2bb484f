/** Plays an SMTP session, and checks that the server follows the protocol. */

import { smtpClient } from '../../support/mail/smtp-client.ts';
import type { Session, Step } from './steps.ts';

/** The record of one session: its data and the replies. */
export interface Played {
  /** The replies in order, without the greeting. The end of an email's data has one, too. */
  readonly replies: readonly string[];
  /** Number of times that data was ended by its dot. */
  readonly mails: number;
}

/** Every code of RFC 5321 §4.2.3 that a server for incoming email can use. */
const CODES = /^(?:214|22[01]|25[0-2]|354|421|45[0-2]|50[0-4]|55[0-5])[ -]/;

const GOODBYE = /^(?:221|421) /;

/** Octets of the longest command. RFC 5321 §4.5.3.1.4 requires 512. A longer one ends the session. */
const MAX_LINE = 4096;

/** Longest wait for a reply, in milliseconds. Everything is in memory, so a longer wait is a hang. */
const HANG_MS = 30_000;

/** Thrown when the session has ended in an allowed way. */
class Over extends Error {}

/**
 * Plays one session and checks that the server follows the protocol, whatever is sent: one reply per command,
 * in order, none out of place, and nothing after a goodbye.
 * @throws if a rule is broken
 */
export async function play(port: number, { early, steps, packet }: Session): Promise<Played> {
  const client = await smtpClient(port, false, HANG_MS);
  const replies: string[] = [];
  const state = { hello: false, mail: false, recipient: false };
  let mails = 0;

  /** Writes in packets as planned. Long texts are not cut as small. */
  async function write(text: string): Promise<void> {
    const size = packet === null || text.length > 2000 ? text.length : packet;
    for (let at = 0; at < text.length; at += size) {
      client.write(text.slice(at, at + size));
      if (size < text.length) await new Promise(setImmediate);
    }
  }

  async function reply(line = ''): Promise<string> {
    const text = await client.reply().catch((error: unknown) => {
      if (line.length > MAX_LINE) throw new Over();
      throw error;
    });
    if (!CODES.test(text)) throw new Error(`no reply of SMTP: ${text}`);
    replies.push(text);
    if (!GOODBYE.test(text)) return text;
    await client.closed;
    if (client.unread() !== '') throw new Error(`after the goodbye: ${client.unread()}`);
    throw new Over();
  }

  /** Updates the state by a reply. A reply that does not match the state is a fault. */
  function follow(line: string, text: string): void {
    const verb = line.slice(0, 4).toUpperCase();
    if (text.startsWith('354')) throw new Error(`354 to ${verb}`);
    if (text.startsWith('220')) {
      if (!/^XCLIENT/i.test(line)) throw new Error(`220 to ${verb}`);
      // A relay may also state its client's HELO, which then need not be sent again.
      Object.assign(state, { hello: /HELO=/i.test(line), mail: false, recipient: false });
    }
    if (!text.startsWith('250')) return;
    if (verb === 'EHLO' || verb === 'HELO')
      Object.assign(state, { hello: true, mail: false, recipient: false });
    if (verb === 'RSET') Object.assign(state, { mail: false, recipient: false });
    if (verb === 'MAIL') {
      if (!state.hello) throw new Error('MAIL was taken before EHLO');
      Object.assign(state, { mail: true, recipient: false });
    }
    if (verb === 'RCPT') {
      if (!state.mail) throw new Error('RCPT was taken before MAIL');
      state.recipient = true;
    }
  }

  async function answered(lines: readonly string[]): Promise<void> {
    for (const line of lines) follow(line, await reply(line));
  }

  async function sendData({ content, ends, next }: Extract<Step, { do: 'data' }>): Promise<void> {
    await write('DATA\r\n');
    if (!(await reply()).startsWith('354')) return;
    if (!state.recipient) throw new Error('DATA was taken without a recipient');
    const text = content === '' || content.endsWith('\r\n') ? content : `${content}\r\n`;
    if (!ends) {
      await write(text);
      throw new Over();
    }
    mails += 1;
    await write(`${text}.\r\n${next.map((line) => `${line}\r\n`).join('')}`);
    const verdict = await reply();
    if (!/^[245]\d\d \d\.\d\.\d/.test(verdict)) throw new Error(`the end of data got ${verdict}`);
    Object.assign(state, { mail: false, recipient: false });
    await answered(next);
  }

  async function startTls(smuggled: string): Promise<void> {
    if (smuggled === '') {
      const refusal = await client.startTls().then(
        () => undefined,
        (error: Error) => error.message,
      );
      if (refusal === undefined)
        Object.assign(state, { hello: false, mail: false, recipient: false });
      else if (!/^50/.test(refusal)) throw new Over();
      replies.push(refusal ?? '220');
      return;
    }
    await write(`STARTTLS\r\n${smuggled}`);
    if ((await reply()).startsWith('220')) {
      // `QUIT` is not a TLS record, and plaintext instead of a handshake must break the session.
      await write('QUIT\r\n');
      await client.closed;
      if (/^\d{3} /m.test(client.unread())) throw new Error('what was smuggled in is answered');
      throw new Over();
    }
    // If the DATA is refused, the text after it consists of ordinary commands.
    await answered(smuggled.split('\r\n').slice(0, -1));
  }

  try {
    if (early !== null) {
      await client.connected;
      await write(early);
    }
    const greeting = await reply();
    if (!greeting.startsWith('220')) throw new Error(`the greeting was ${greeting}`);
    replies.length = 0;
    // Text that was sent too early gets replies like everything else.
    if (early !== null) await answered([early.trimEnd()]);
    for (const step of steps) {
      if (step.do === 'vanish') throw new Over();
      if (step.do === 'data') await sendData(step);
      if (step.do === 'tls') await startTls(step.smuggled);
      if (step.do !== 'say') continue;
      await write(step.lines.map((line) => `${line}\r\n`).join(''));
      await answered(step.lines);
    }
    await write('QUIT\r\n');
    const last = await reply();
    throw new Error(`QUIT got ${last}`);
  } catch (error) {
    if (!(error instanceof Over)) throw error;
  } finally {
    client.vanish();
  }
  return { replies, mails };
}
