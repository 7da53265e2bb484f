/**
 * Builds and signs the emails of the cases of complete emails: newsletters, letters and their
 * parts.
 */

import { part } from '../mail/mails.ts';
import { signature } from './keys.ts';
import { addSignature, type Signature } from './sign.ts';

export const TO = 'abcdefghijkl@in.example.net';

/** Header fields by name. `null` leaves a field out, and a list repeats it. */
export type Fields = Readonly<Record<string, string | null | readonly string[]>>;

/** An email before it is signed, one byte per character. */
export interface Draft {
  readonly base: 'newsletter' | 'letter';
  readonly fields: Fields;
  readonly body: string;
}

const common: Fields = {
  From: 'Example Shop <news@example.com>',
  To: TO,
  Subject: 'Five new books for long evenings',
  Date: 'Fri, 20 Nov 2026 10:00:00 +0000',
  'Message-ID': '<b1@example.com>',
  'MIME-Version': '1.0',
  'Content-Type': 'multipart/alternative; boundary="b1"',
};

/** The header fields of a campaign: one that nobody requires, and all that receivers require of bulk email. */
const bulk: Fields = {
  'X-Campaign-ID': 'november',
  'List-Id': 'News of the shop <news.example.com>',
  'Feedback-ID': 'november:news:shop',
  'List-Unsubscribe': '<https://www.example.com/u/1>,\r\n <mailto:u@example.com?subject=1>',
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
};

const machine: Fields = { 'Auto-Submitted': 'auto-generated' };

export const WORDS = `Good evening, winter is near and our shelves are full again.
We have chosen five books that we like to give to friends, from a slow walk along the coast
to a story about clocks that nobody could repair. Each of them waits for you in the shop,
and we are happy to wrap it and to send it wherever you want it to go.`;

export const PICTURE = '<img src="https://www.example.com/i/books.png" alt="Five books">';

export const LINK = '<p><a href="https://www.example.com/books">Look at the books</a></p>';

const PREVIEW = '<p class="preheader">What we like to read in winter.</p>';
const LEAVE = '<p><a href="https://www.example.com/u/1">Unsubscribe</a></p>';

/** Returns a complete HTML document around a body. */
export const page = (body: string, head = '<title>Books</title>', root = ' lang="en"') =>
  `<!doctype html>\n<html${root}>\n<head><meta charset="utf-8">${head}</head>\n<body>\n${body}\n</body>\n</html>`;

export const newsletterBody = (words = WORDS) =>
  [PREVIEW, `<p>${words}</p>`, PICTURE, LINK, LEAVE].join('\n');

const letterBody = [`<p>${WORDS}</p>`, LINK].join('\n');

const crlf = (text: string) => text.replace(/\r?\n/g, '\r\n');

export const textPart = (text: string, type = 'text/plain; charset=utf-8') =>
  part(type, crlf(text));
export const htmlPart = (html: string, type = 'text/html; charset=utf-8') => part(type, crlf(html));

/** Returns the body of a multipart. */
export const parts = (all: readonly string[], boundary = 'b1'): string =>
  [...all.map((one) => `--${boundary}\r\n${one}`), `--${boundary}--`, ''].join('\r\n');

const TEXT_LINKS = '\n\nhttps://www.example.com/books\n';

/** Returns bulk email with no faults, with its fields or parts changed. */
export const newsletter = (
  fields: Fields = {},
  {
    html = page(newsletterBody()),
    text = `${WORDS}${TEXT_LINKS}\nUnsubscribe: https://www.example.com/u/1`,
    more = [],
    body = parts([textPart(text), htmlPart(html), ...more]),
  }: Partial<Record<'html' | 'text' | 'body', string>> & { more?: readonly string[] } = {},
): Draft => ({ base: 'newsletter', fields: { ...common, ...bulk, ...fields }, body });

/** Returns an email from a program to one person. */
export const letter = (
  fields: Fields = {},
  {
    html = page(letterBody),
    text = `${WORDS}${TEXT_LINKS}`,
    more = [],
    body = parts([textPart(text), htmlPart(html), ...more]),
  }: Partial<Record<'html' | 'text' | 'body', string>> & { more?: readonly string[] } = {},
): Draft => ({ base: 'letter', fields: { ...common, ...machine, ...fields }, body });

/** Returns a newsletter with this HTML after its usual body. */
export const withHtml = (more: string, head?: string): Draft =>
  newsletter({}, { html: page(`${newsletterBody()}\n${more}`, head) });

/** Returns a newsletter with files, each an entity of its own. */
export const withFiles = (...files: readonly string[]): Draft => {
  const { body, fields } = newsletter();
  const inner = `Content-Type: multipart/alternative; boundary="b1"\r\n\r\n${body}`;
  return {
    base: 'newsletter',
    fields: { ...fields, 'Content-Type': 'multipart/mixed; boundary="b0"' },
    body: parts([inner, ...files], 'b0'),
  };
};

export const toRaw = ({ fields, body }: Draft): string => {
  const lines = Object.entries(fields).flatMap(([name, value]) =>
    value === null ? [] : [value].flat().map((one) => `${name}: ${one}`),
  );
  return [...lines, '', body].join('\r\n');
};

/** Returns the email as it is sent: signed, with the last signature on top. */
export const signMail = (draft: Draft, signatures: readonly Signature[] = [signature()]): string =>
  signatures.reduce(addSignature, toRaw(draft));
