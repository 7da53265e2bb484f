import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readMail } from '../../../src/analysis/mail/read-mail.ts';
import { toCrlf } from '../conformance/verify-raw.ts';

/** One labelled item of the corpus: its README has the format. */
export interface CorpusItem {
  readonly id: string;
  readonly class: string;
  /** Experts differ about the label: no hard mark. */
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

/** The domain that the templates are filled for. */
export const TEMPLATE_DOMAIN = 'northwind.example';

/** The folder that CORPUS_DIR names. @throws when it is not set */
export function corpusDir(): string {
  const folder = process.env.CORPUS_DIR;
  if (!folder) throw new Error('CORPUS_DIR is not set: it names the folder of the labelled mails.');
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

/** A body as a whole mail of the template's sender. */
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

/** Every labelled mail of the corpus, as bytes on the wire. */
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

/** What is read of one that came by itself. */
export const readItem = ({ bytes }: CorpusItem) =>
  readMail(new Uint8Array(bytes), {
    receivedAt: '2026-03-03T09:14:05.000Z',
    testAddress: { localPart: 'reader', domain: 'inbox.example' },
    nullSender: false,
    helo: null,
    smtputf8: false,
  });
