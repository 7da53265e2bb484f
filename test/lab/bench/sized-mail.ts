/** Builds the demo's email in a given size, for benchmarks. */

import { createTransport, type SendMailOptions } from 'nodemailer';
import { demoMail } from '../../environment/mail.ts';
import type { SenderKey } from '../../environment/sender.ts';

export const KIB = 1024;
export const MIB = 1024 * KIB;

/** Sizes of the emails that are measured, in bytes: a usual one, and a large one. */
export const SIZES = [10 * KIB, MIB] as const;

export const sizeName = (bytes: number): string =>
  bytes < MIB ? `${bytes / KIB} KiB` : `${bytes / MIB} MiB`;

const line = (n: number) =>
  `Parcel ${n} was packed this morning and handed to the carrier, who brings it on Tuesday.\n`;

const paragraph = (n: number) =>
  `<p style="margin: 0">Parcel <b>${n}</b> was packed this morning and handed to the carrier,
who brings it <a href="https://www.sender.example/orders/${n}">on Tuesday</a>.</p>
`;

/** Returns the demo's email, signed, with its text and HTML extended to about this many bytes. */
export async function sizedMail(bytes: number, to: string, key: SenderKey): Promise<Buffer> {
  const plain = demoMail(to, key);
  const short = await compose(plain);
  const step = line(100).length + paragraph(100).length;
  const count = Math.max(0, Math.floor((bytes - short.length) / step));
  const numbers = Array.from({ length: count }, (_, n) => n);
  return compose({
    ...plain,
    text: `${plain.text}\n${numbers.map(line).join('')}`,
    html: String(plain.html).replace('</body>', () => `${numbers.map(paragraph).join('')}</body>`),
  });
}

/** Returns the email as it is sent over the network. */
async function compose(mail: SendMailOptions): Promise<Buffer> {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  const { message } = await transport.sendMail(mail);
  return message as Buffer;
}
