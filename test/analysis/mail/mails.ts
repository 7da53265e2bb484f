/** Builds and reads emails for the tests of the reader. */

import { type MailReading, readMail } from '../../../src/analysis/mail/read-mail.ts';
import type { ReadContext } from '../../../src/analysis/mail/scan-headers.ts';

export const context: ReadContext = {
  receivedAt: '2026-11-20T11:00:00.000Z',
  testAddress: { localPart: 'abcdefghijkl', domain: 'in.example.net' },
  nullSender: false,
  helo: 'mx.example.com',
  smtputf8: false,
};

/** The fields of an email with no faults. */
const GOOD: Readonly<Record<string, string>> = {
  From: 'Example Shop <news@example.com>',
  To: 'abcdefghijkl@in.example.net',
  Subject: 'Your order is on its way',
  Date: 'Fri, 20 Nov 2026 11:00:00 +0000',
  'Message-ID': '<5f2c@example.com>',
  'MIME-Version': '1.0',
};

const TEXT = 'Hello, your order has left our house and will be with you soon.';

/** Builds an email, one byte per character. `null` leaves a field out, and a list repeats it. */
export const mail = (
  fields: Readonly<Record<string, string | null | readonly string[]>> = {},
  body: string = TEXT,
): Buffer => {
  const lines = Object.entries({ ...GOOD, ...fields }).flatMap(([name, value]) =>
    value === null ? [] : [value].flat().map((one) => `${name}: ${one}`),
  );
  return Buffer.from(`${[...lines, '', body].join('\r\n')}\r\n`, 'latin1');
};

/** Returns an entity of a multipart. */
export const part = (type: string, body: string, ...fields: readonly string[]): string =>
  [`Content-Type: ${type}`, ...fields, '', body].join('\r\n');

export const multipart = (subtype: string, parts: readonly string[], boundary = 'b1'): Buffer =>
  mail(
    { 'Content-Type': `multipart/${subtype}; boundary="${boundary}"` },
    [...parts.map((one) => `--${boundary}\r\n${one}`), `--${boundary}--`].join('\r\n'),
  );

/** Returns UTF-8 in the form that `mail` accepts, one byte per character. */
export const utf8 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

export const htmlMail = (body: string, head = '<title>Hello</title>'): Buffer =>
  mail(
    { 'Content-Type': 'text/html; charset=utf-8' },
    `<!doctype html><html lang="en"><head>${head}</head><body>${utf8(body)}</body></html>`,
  );

export const read = (bytes: Uint8Array, more: Partial<ReadContext> = {}): MailReading =>
  readMail(bytes, { ...context, ...more });

export const headersOf = (
  fields: Parameters<typeof mail>[0],
  more: Partial<ReadContext> = {},
): MailReading['headers'] => read(mail(fields), more).headers;

export const base64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes).toString('base64').replace(/.{76}/g, '$&\r\n');
