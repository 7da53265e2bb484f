/** Finds out whether the advice of a report helps frauds to a good grade. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readOptions } from '../../../src/config/command-line.ts';
import { letters } from '../../analysis/impersonation/frauds.ts';
import { frauds as inLanguages } from '../../analysis/impersonation/languages.ts';
import { costsOf, reportOnBytes, toBytes } from '../../analysis/mail/score-mail.ts';

/** Findings that accuse an email of being from someone other than it says. */
const ACCUSING = ['impersonation', 'spam_phrases', 'from_domain_lookalike', 'from_display_name'];

interface Email {
  readonly about: string;
  readonly bytes: Buffer;
}

type Report = ReturnType<typeof reportOnBytes>;

const isAccused = ({ grade, findings }: Report): boolean =>
  grade !== 'A' && findings.some(({ id, points = 0 }) => points > 0 && ACCUSING.includes(id));

/** Returns frauds of our own whose letter says what it wants, in eight languages. */
export const ownFrauds = (): readonly Email[] =>
  [...letters, ...inLanguages].map((one) => ({
    about: `${one.from}: ${one.subject}`,
    bytes: toBytes(one),
  }));

/** Returns every email below a folder. */
const emailsIn = (folder: string): readonly Email[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.eml'))
    .map((about) => ({ about, bytes: readFileSync(join(folder, about)) }));

const FROM = /^from:[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*/im;
const REPLY_TO = /^reply-to:[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*\r?\n/im;
/** A link whose text is an address. */
const SHOWN = /(<a\b[^>]*>)\s*(?:https?:\/\/)?[\w.-]+\.[a-z]{2,}[^<\s]*\s*(<\/a>)/gi;
const HIDDEN = /\u200b|\u2060|\ufeff/g;

/** A domain that says nothing. */
const NEUTRAL = 'north-mailing.com';

const titleOf = (domain: string): string =>
  (domain.split('.').at(-2) ?? '').replaceAll('-', ' ').replace(/\b\w/g, (c) => c.toUpperCase());

/**
 * Yields the emails that a fraud becomes if its sender follows all advice that can be followed without giving
 * up the letter and its link: another display name, another domain, no foreign Reply-To, links that show
 * where they lead, no hidden letters.
 */
export function* followed(bytes: Buffer): Generator<Email> {
  const text = bytes.toString('utf8').replace(REPLY_TO, '').replace(SHOWN, '$1Open$2');
  const from = FROM.exec(text)?.[0] ?? '';
  const [, local = 'info', own = NEUTRAL] = /([^\s<@"]+)@([^\s>]+)/.exec(from) ?? [];
  for (const domain of [own, NEUTRAL])
    for (const name of [
      '',
      'Customer Care',
      'Anna Berg',
      ...(domain === own ? [titleOf(own)] : []),
    ]) {
      const field = `From: ${name} <${local}@${domain}>`;
      const changed = text.replace(from, field).replace(HIDDEN, '');
      yield { about: `as ${name || 'nobody'} at ${domain}`, bytes: Buffer.from(changed) };
    }
}

/** Returns the ways in which following the advice leads a recognized fraud to an A. */
export const coachedToA = (fraud: Email): readonly string[] =>
  followed(fraud.bytes)
    .map(({ about, bytes }) => ({ about, report: reportOnBytes(bytes) }))
    .filter(({ report }) => report.grade === 'A')
    .map(({ about, report }) => `${about}: ${costsOf(report)}`)
    .toArray();

export const isRecognized = ({ bytes }: Email): boolean => isAccused(reportOnBytes(bytes));

/**
 * Runs `npm run lab -- coaching`: follows the advice of every recognized fraud, keeps its letter and its
 * link, and prints which reach an A. Resolves to the exit code.
 */
export async function runCoaching(args: readonly string[]): Promise<number> {
  const { values } = readOptions(args, { emails: { type: 'string' } });
  const frauds = values.emails ? emailsIn(values.emails) : ownFrauds();
  const recognized = frauds.filter(isRecognized);
  let bad = 0;
  for (const fraud of recognized) {
    const ways = coachedToA(fraud);
    if (ways.length === 0) continue;
    bad += 1;
    console.log(`${fraud.about}\n  ${ways.join('\n  ')}`);
  }
  console.log(
    `${frauds.length} frauds, ${recognized.length} recognized: ${bad} reach an A by following the advice`,
  );
  return bad === 0 ? 0 : 1;
}
