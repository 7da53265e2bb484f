/** Tests which files count as an email, and what is left out of them. */

import { describe, expect, test } from 'vitest';
import { CommandError } from '../../../src/client/exit.ts';
import { toMailFile } from '../../../src/client/lint/read-mail-file.ts';
import { playCommand } from '../../support/command/played-console.ts';

const MAIL = 'From: a@example.com\nSubject: x\n\nHi.\n';
const MBOX_LINE = 'From a@example.com Fri Nov 20 10:00:00 2026\n';
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));
const utf16 = (text: string) => bytesOf(Buffer.from(`\ufeff${text}`, 'utf16le').toString('latin1'));

const read = (text: string) => {
  const { bytes, firstLine } = toMailFile(bytesOf(text));
  return { text: Buffer.from(bytes).toString('latin1').replaceAll('\r', ''), firstLine };
};

test.each([
  ['an email', MAIL, 1],
  ['an email with a byte order mark', `\xef\xbb\xbf${MAIL}`, 1],
  ['an email from a mbox', `${MBOX_LINE}${MAIL}`, 2],
  ['an email of Apple Mail', `${MAIL.length}  \n${MAIL}<?xml version="1.0"?>\n`, 2],
])('%s', (_, file, firstLine) => {
  expect(read(file)).toEqual({ text: MAIL, firstLine });
});

test('a line of the text that begins with From starts no email', () => {
  const mail = `${MAIL}\nFrom Monday on, we are closed.\n`;
  expect(read(`${MBOX_LINE}${mail}`).text).toBe(mail);
});

describe('is no email', () => {
  test.each([
    ['nothing', bytesOf(''), 'is empty.'],
    ['blank lines', bytesOf(' \r\n\n'), 'is empty.'],
    ['UTF-16', utf16(MAIL), 'is in UTF-16. Save it in UTF-8.'],
    [
      'a message of Outlook',
      bytesOf('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'),
      'Save the email as .eml.',
    ],
    ['gzip', bytesOf('\x1f\x8b\x08'), 'is compressed.'],
    ['a template', bytesOf('<!doctype html>\n<p>Hi.</p>\n'), 'has no email header.'],
    ['JSON', bytesOf('{"from":"a@example.com"}\n'), 'has no email header.'],
    ['a blank line above the header', bytesOf(`\n${MAIL}`), 'has no email header.'],
    ['a mailbox', bytesOf(`${MBOX_LINE}${MAIL}\n${MBOX_LINE}${MAIL}`), 'with several emails.'],
  ])('%s', (_, file, fault) => {
    expect(() => toMailFile(file, 'mail.eml')).toThrow(CommandError);
    expect(() => toMailFile(file, 'mail.eml')).toThrow(/^mail\.eml /);
    expect(() => toMailFile(file, 'mail.eml')).toThrow(fault);
  });
});

test('lint says that it left out a byte order mark', async () => {
  const lint = (text: string) =>
    playCommand(['lint', '-'], {}, { readStdin: async () => bytesOf(text) });
  expect((await lint(`\xef\xbb\xbf${MAIL}`)).stdout).toContain('byte order mark');
  expect((await lint(MAIL)).stdout).not.toContain('byte order mark');
  expect((await lint('')).stderr).toBe('stdin is empty.\n');
});
