/**
 * Runs `npm run lab -- golden`, which compares many reports before and after a change, byte for byte, or
 * prints one of them.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { readOptions } from '../../../src/config/command-line.ts';
import { goldenMails } from './mails.ts';
import { digestOf, goldenReport } from './reports.ts';

const USAGE = `npm run lab -- golden write FILE    writes a digest of each email's report
npm run lab -- golden compare FILE  compares with the digests that another checkout wrote
npm run lab -- golden show NAME     prints the report of one email

  --fuzz N       the number of emails made by the fuzzer (2000)
  CORPUS_DIR     a folder of labelled emails to read, too`;

/** Differences that are named. The rest is counted. */
const MAX_SHOWN = 20;

/**
 * Shows whether a change leaves every report as it was, byte for byte. Run it before and after, in two
 * checkouts. Resolves to the exit code: 1 if a report differs.
 */
export async function runGolden(args: readonly string[]): Promise<number> {
  const { values, positionals } = readOptions(
    args,
    { fuzz: { type: 'string', default: '2000' } },
    true,
  );
  const [verb, what] = positionals;
  const mails = goldenMails({ fuzz: Number(values.fuzz), corpusDir: process.env.CORPUS_DIR });
  if (verb === 'show' && what !== undefined) {
    const mail = mails.find(({ name }) => name === what);
    if (mail) console.log(JSON.stringify(JSON.parse(await goldenReport(mail)), null, 2));
    return mail ? 0 : 1;
  }
  if ((verb !== 'write' && verb !== 'compare') || what === undefined) {
    console.error(USAGE);
    return 2;
  }
  const digests: Record<string, string> = {};
  for (const mail of mails) digests[mail.name] = digestOf(await goldenReport(mail));
  if (verb === 'write') {
    writeFileSync(what, `${JSON.stringify(digests, null, 2)}\n`);
    console.log(`${mails.length} reports written`);
    return 0;
  }
  const before: Readonly<Record<string, string>> = JSON.parse(readFileSync(what, 'utf8'));
  const names = new Set([...Object.keys(before), ...Object.keys(digests)]);
  const differing = [...names].filter((name) => before[name] !== digests[name]);
  for (const name of differing.slice(0, MAX_SHOWN)) console.log(`differs: ${name}`);
  console.log(`${names.size - differing.length} of ${names.size} reports are equal`);
  return differing.length === 0 ? 0 : 1;
}
