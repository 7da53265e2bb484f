import { type Client, openClient } from './client.ts';
import type { Plan, Step } from './grammar.ts';

/** What one session said and heard. */
export interface Observed {
  /** Commands that were answered; the end of a mail's data is one. */
  commands: number;
  /** Data that was ended by its dot. */
  mails: number;
  /** Replies that say that a report is there. */
  analysed: number;
}

/** Every code of RFC 5321 §4.2.3 that a server for incoming mail has a use for. */
const CODES = /^(?:214|22[01]|25[0-2]|354|421|45[0-2]|50[0-4]|55[0-5])[ -]/;

const GOODBYE = /^(?:221|421) /;

/** Octets of the longest command (RFC 5321 §4.5.3.1.4 asks for 512): a longer one ends the session. */
const MAX_LINE = 4096;

/** A rule of the protocol was broken. */
export class Fault extends Error {
  override readonly name = 'Fault';
}

/**
 * Plays one session and holds the server to the protocol: one reply a command, in order, none of
 * them out of place.
 *
 * @throws Fault
 */
export async function liveSession(
  port: number,
  { early, steps, packet }: Plan,
  observed: Observed,
) {
  const client = openClient(port, packet);
  try {
    if (early !== null) await client.write(early);
    const greeting = await client.reply();
    if (early !== null && greeting?.startsWith('421')) return;
    if (!greeting?.startsWith('220')) throw new Fault(`the greeting was ${greeting}`);
    const state = newState();
    // What was said too early is answered like everything else.
    if (early !== null && !(await answered(client, [early.trimEnd()], state, observed))) return;
    for (const step of steps) if (!(await live(client, step, state, observed))) return;
    await client.write('QUIT\r\n');
    const last = await next(client, observed);
    // One reply too many before it, and this is another's.
    if (!GOODBYE.test(last)) throw new Fault(`QUIT got ${last}`);
  } finally {
    client.vanish();
  }
}

interface State {
  hello: boolean;
  mail: boolean;
  recipient: boolean;
}

const newState = (): State => ({ hello: false, mail: false, recipient: false });

/** False: the session is over, as it may be. */
async function live(
  client: Client,
  step: Step,
  state: State,
  observed: Observed,
): Promise<boolean> {
  switch (step.do) {
    case 'say':
      await client.write(step.lines.map((line) => `${line}\r\n`).join(''));
      return answered(client, step.lines, state, observed);
    case 'data':
      return sendData(client, step, state, observed);
    case 'tls': {
      await client.write(`STARTTLS\r\n${step.smuggled}`);
      const reply = await next(client, observed);
      if (GOODBYE.test(reply)) return false;
      // Refused, what follows it is a command like others.
      if (!reply.startsWith('220'))
        return answered(client, step.smuggled.split('\r\n').slice(0, -1), state, observed);
      // Plaintext in the place of a handshake cannot but break it.
      if (step.smuggled !== '' || !(await client.secure())) return false;
      Object.assign(state, newState());
      return true;
    }
    case 'vanish':
      return false;
  }
}

async function sendData(
  client: Client,
  { content, ends, then }: Extract<Step, { do: 'data' }>,
  state: State,
  observed: Observed,
): Promise<boolean> {
  await client.write('DATA\r\n');
  const reply = await next(client, observed);
  if (GOODBYE.test(reply)) return false;
  if (!reply.startsWith('354')) return true;
  if (!state.recipient) throw new Fault('DATA was taken without a recipient');
  const text = content === '' || content.endsWith('\r\n') ? content : `${content}\r\n`;
  if (!ends) {
    await client.write(text);
    return false;
  }
  observed.mails += 1;
  await client.write(`${text}.\r\n${then.map((line) => `${line}\r\n`).join('')}`);
  const verdict = await next(client, observed);
  if (!/^[245]\d\d \d\.\d\.\d/.test(verdict)) throw new Fault(`the end of data got ${verdict}`);
  // Another session took the test's last place: this one is told, and over.
  if (GOODBYE.test(verdict)) return false;
  if (verdict.startsWith('250 2.0.0 Your mail is analysed')) observed.analysed += 1;
  Object.assign(state, { mail: false, recipient: false });
  return answered(client, then, state, observed);
}

/** Reads a reply for each line; false: one of them was a goodbye. */
async function answered(
  client: Client,
  lines: readonly string[],
  state: State,
  observed: Observed,
): Promise<boolean> {
  for (const line of lines) {
    const reply = await next(client, observed, line.length > MAX_LINE);
    if (GOODBYE.test(reply)) {
      if ((await client.closed()) === undefined) throw new Fault('a goodbye, but no end');
      if (client.unread() !== '') throw new Fault('words after the goodbye');
      return false;
    }
    follow(line, reply, state);
  }
  return true;
}

async function next(client: Client, observed: Observed, mayClose = false): Promise<string> {
  const reply = await client.reply();
  if (reply === undefined) throw new Fault('no reply');
  if (reply === null) {
    if (mayClose) return '421 closed';
    throw new Fault('closed without a reply');
  }
  if (!CODES.test(reply)) throw new Fault(`no reply of SMTP: ${reply}`);
  observed.commands += 1;
  return reply;
}

/** The state that the replies put the session in; a reply that does not fit it is a fault. */
function follow(line: string, reply: string, state: State): void {
  const verb = line.slice(0, 4).toUpperCase();
  const isYes = reply.startsWith('250');
  if (reply.startsWith('354')) throw new Fault(`354 to ${verb}`);
  if (reply.startsWith('220') && !/^XCLIENT/i.test(line)) throw new Fault(`220 to ${verb}`);
  // A relay may state its client's HELO too, which then need not be said again.
  if (reply.startsWith('220')) Object.assign(state, newState(), { hello: /HELO=/i.test(line) });
  if (!isYes) return;
  if (verb === 'EHLO' || verb === 'HELO')
    Object.assign(state, { hello: true, mail: false, recipient: false });
  if (verb === 'RSET') Object.assign(state, { mail: false, recipient: false });
  if (verb === 'MAIL') {
    if (!state.hello) throw new Fault('MAIL was taken before EHLO');
    Object.assign(state, { mail: true, recipient: false });
  }
  if (verb === 'RCPT') {
    if (!state.mail) throw new Fault('RCPT was taken before MAIL');
    state.recipient = true;
  }
}
