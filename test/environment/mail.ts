/** Builds the email of the demo, and sends emails by SMTP. */

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { SENDER, type SenderKey } from './sender.ts';

/** The email that the demo sends: an order confirmation as a shop would write it. */
export function demoMail(to: string, key?: SenderKey): SendMailOptions {
  const { domain, selector } = SENDER;
  return {
    from: { name: 'Sender Shop', address: `orders@${domain}` },
    to,
    subject: 'Your order is on its way',
    text: orderText,
    html: orderHtml,
    headers: { 'Auto-Submitted': 'auto-generated' },
    ...(key && {
      dkim: { domainName: domain, keySelector: selector, privateKey: key.privateKey },
    }),
  };
}

const orderText = `Hello Ada,

thank you for your order. We packed it this morning and handed it to the carrier,
who will bring it on Tuesday between nine and twelve.

You can follow the parcel here: https://www.${SENDER.domain}/orders

Kind regards,
the team of Sender Shop
`;

const orderHtml = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Your order</title></head>
<body>
<p>Hello Ada,</p>
<p>thank you for your order. We packed it this morning and handed it to the carrier,
who will bring it on Tuesday between nine and twelve.</p>
<p><a href="https://www.${SENDER.domain}/orders">You can follow the parcel here.</a></p>
<p>Kind regards,<br>the team of Sender Shop</p>
</body>
</html>
`;

export interface Via {
  readonly host: string;
  readonly port: number;
  /** The client that the relay states with XCLIENT. Without it, we are the client ourselves. */
  readonly client?: { readonly ip: string; readonly host: string };
}

/** Sends an email by SMTP and returns the server's last reply. */
export async function sendMail(mail: SendMailOptions, via: Via): Promise<string> {
  const { client } = via;
  const transport = createTransport({
    host: via.host,
    port: via.port,
    name: client?.host ?? SENDER.host,
    // Self-signed certificates are usual between mail servers, which do not check them.
    tls: { rejectUnauthorized: false },
    ...(client && {
      // After XCLIENT, the server starts again and treats the session as the stated client's.
      ignoreTLS: true,
      getSocket: (_options: unknown, done: (error: Error | null, socket?: object) => void) => {
        introduce(via, client).then(
          (connection) => done(null, { connection }),
          (error: Error) => done(error),
        );
      },
    }),
  });
  try {
    const { response } = await transport.sendMail(mail);
    return response;
  } finally {
    transport.close();
  }
}

/** The service is busy, or the machine had no time for a lookup. Tests on a busy computer meet both. */
const BUSY = /451[ -]4\.(?:3\.2|4\.3)/;

/** How often a busy service is tried again, and after how long, in milliseconds. */
const TRIES = 30;
const TRY_AGAIN_MS = 1000;

/** Does what {@link sendMail} does, and tries again like a sender's queue while the service is busy. */
export async function sendMailPatiently(mail: SendMailOptions, via: Via): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await sendMail(mail, via);
    } catch (error) {
      if (tries === TRIES || !BUSY.test(String(error))) throw error;
      await sleep(TRY_AGAIN_MS);
    }
  }
}

/** Connects and sends XCLIENT. The server then sends a new greeting. */
async function introduce(
  { host, port }: Via,
  client: { ip: string; host: string },
): Promise<Socket> {
  const socket = connect(port, host);
  const closed = once(socket, 'close').then(() => {
    throw new Error('The connection was closed.');
  });
  closed.catch(() => {});
  const replied = async () => {
    let text = '';
    while (!/^\d{3} .*\r\n$/m.test(text)) {
      const [chunk] = await Promise.race([once(socket, 'data'), closed]);
      text += String(chunk);
    }
    return text;
  };
  const greeting = await replied();
  if (!greeting.startsWith('220')) {
    socket.destroy();
    const responseCode = Number(greeting.slice(0, 3));
    throw Object.assign(new Error(`The server answered ${responseCode}.`), { responseCode });
  }
  socket.write(`EHLO ${SENDER.host}\r\n`);
  const offered = await replied();
  if (!/XCLIENT/i.test(offered)) {
    socket.destroy();
    throw new Error('The server does not let us state another client (XCLIENT).');
  }
  socket.pause();
  socket.write(`XCLIENT ADDR=${client.ip} NAME=${client.host} HELO=${client.host}\r\n`);
  return socket;
}
