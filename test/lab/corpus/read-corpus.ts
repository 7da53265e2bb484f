/** Reads the corpus of labelled emails in the folder that CORPUS_DIR names. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readMail } from '../../../src/analysis/mail/read-mail.ts';
import { toCrlf } from '../conformance/verify-raw.ts';

/** A labelled item of the corpus, whose README describes the format. */
export interface CorpusItem {
  readonly id: string;
  readonly class: string;
  /** Experts disagree about the label, so it is not a strict requirement. */
  readonly unsure: boolean;
  readonly bytes: Buffer;
}

interface Line {
  readonly id: string;
  readonly file: string;
  readonly format: 'html' | 'text' | 'message';
  readonly class: string;
  readonly subject: string;
  readonly notes?: string;
}

/** The domain with which the templates are filled in. */
export const TEMPLATE_DOMAIN = 'northwind.example';

/** Returns the folder that CORPUS_DIR names. @throws if it is not set */
export function corpusDir(): string {
  const folder = process.env.CORPUS_DIR;
  if (!folder)
    throw new Error('CORPUS_DIR is not set: it names the folder of the labelled emails.');
  return folder;
}

export const jsonLines = <T>(path: string): T[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as T);

const encodeSubject = (subject: string): string =>
  /^[\x20-\x7e]*$/.test(subject)
    ? subject
    : `=?UTF-8?B?${Buffer.from(subject).toString('base64')}?=`;

/** Returns a body as a complete email of the template's sender. */
const wrap = ({ id, subject, format }: Line, body: Buffer): Buffer => {
  const head = [
    `From: Northwind <hello@${TEMPLATE_DOMAIN}>`,
    'To: reader@inbox.example',
    `Subject: ${encodeSubject(subject)}`,
    'Date: Tue, 03 Mar 2026 09:14:00 +0000',
    `Message-ID: <${id}@${TEMPLATE_DOMAIN}>`,
    'MIME-Version: 1.0',
    `Content-Type: text/${format === 'html' ? 'html' : 'plain'}; charset=utf-8`,
    'Content-Transfer-Encoding: base64',
  ].join('\r\n');
  const lines = body.toString('base64').replace(/.{76}/g, '$&\r\n');
  return Buffer.from(`${head}\r\n\r\n${lines}\r\n`);
};

/** Returns every labelled email of the corpus, as bytes sent over the network. */
export const readCorpus = (folder: string): readonly CorpusItem[] =>
  jsonLines<Line>(join(folder, 'manifest.jsonl')).map((line) => {
    const body = readFileSync(join(folder, line.file));
    return {
      id: line.id,
      class: line.class,
      unsure: /\bunsure\b/.test(line.notes ?? ''),
      bytes:
        line.format === 'message'
          ? Buffer.from(toCrlf(body.toString('latin1')), 'latin1')
          : wrap(line, body),
    };
  });

/** Returns the reading of an email that came directly. */
export const readItem = ({ bytes }: CorpusItem) =>
  readMail(new Uint8Array(bytes), {
    receivedAt: '2026-03-03T09:14:05.000Z',
    testAddress: { localPart: 'reader', domain: 'inbox.example' },
    nullSender: false,
    helo: null,
    smtputf8: false,
  });
