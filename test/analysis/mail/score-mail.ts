/**
 * Builds emails from a few words for tests, and reports on emails as if their authentication, connection and
 * DNS were in order.
 */

import { known } from '../../../src/analysis/lookup-result.ts';
import type { MailReading } from '../../../src/analysis/mail/read-mail.ts';
import { makeReport } from '../../../src/analysis/report.ts';
import { facts } from '../../support/mail/facts.ts';
import { mail, read, utf8 } from './mails.ts';

/** A complete email as a person would write it down. The body is HTML if it begins with a tag. */
export interface WrittenMail {
  readonly from: string;
  readonly subject: string;
  readonly body: string;
  readonly fields?: Readonly<Record<string, string>>;
}

const encoded = (text: string): string =>
  /^[\x20-\x7e]*$/.test(text) ? text : `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`;

const encodedFrom = (from: string): string =>
  from.replace(/^(.*) (<.*>)$/, (_, name, address) => `${encoded(name)} ${address}`);

export const toBytes = ({ from, subject, body, fields }: WrittenMail): Buffer =>
  mail(
    {
      From: encodedFrom(from),
      Subject: encoded(subject),
      'Content-Type': `text/${body.startsWith('<') ? 'html' : 'plain'}; charset=utf-8`,
      'Message-ID': `<1@${/@([^>]+)/.exec(from)?.[1]}>`,
      ...fields,
    },
    utf8(body.replaceAll('\n', '\r\n')),
  );

export const readWritten = (written: WrittenMail): MailReading => read(toBytes(written));

/** Returns the report on an email whose authentication, connection and DNS are in order. */
export function reportOnBytes(bytes: Uint8Array) {
  const { headers, content, links } = read(bytes);
  const asSent = { ...content, textAlternative: 'both' as const, textState: 'ok' as const };
  const { date, to } = headers;
  return makeReport(
    {
      ...facts(),
      headers: known({
        ...headers,
        date: { ...date, skewSeconds: 0 },
        to: { ...to, testAddressFound: true },
      }),
      content: known(asSent),
      links: known(links),
    },
    '2026-11-20T12:00:02.000Z',
  );
}

export const reportOn = (written: WrittenMail) => reportOnBytes(toBytes(written));

/** Lists what cost points, for the message of a failing test. */
export const costsOf = ({ findings, score }: ReturnType<typeof reportOn>): string =>
  [
    score,
    ...findings.filter(({ points = 0 }) => points > 0).map((one) => `${one.id}: ${one.detail}`),
  ].join('; ');
