import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Zone } from '../demo/dns-zone.ts';
import { type Case, differs, type Suite } from './suite.ts';
import { toCrlf, type Verified, verifyRaw } from './verify-raw.ts';
import { askZone } from './zone-resolver.ts';

/**
 * Mails that have to pass, those of `dkim/` by their last signature and those of `arc/` by their
 * chain; a chain of `arc-invalid/`, where there is one, has to fail. A file holds the keys first,
 * a line each, then a blank line, then the mail.
 *
 * @param receivedAt RFC 3339, within the life of every signature
 */
export const readRecordedMails = (name: string, dir: string, receivedAt: string): Suite => {
  const casesIn = (folder: string, verdictOf: VerdictOf, expected: string): readonly Case[] =>
    filesOf(join(dir, folder)).map((file) => ({
      name: `${folder}/${file}`,
      run: async () => {
        const text = readFileSync(join(dir, folder, file), 'utf8').replaceAll('\r\n', '\n');
        const end = text.indexOf('\n\n');
        const ask = askZone(toZone(text.slice(0, end)));
        const verified = await verifyRaw(toCrlf(text.slice(end + 2)), ask, receivedAt);
        return differs(verdictOf(verified), [expected]);
      },
    }));
  return {
    name,
    cases: [
      ...casesIn('dkim', ofLastSignature, 'pass'),
      ...casesIn('arc', ofChain, 'pass'),
      ...casesIn('arc-invalid', ofChain, 'fail'),
    ],
    excepted: {},
  };
};

type VerdictOf = (verified: Verified) => string | undefined;

const ofLastSignature: VerdictOf = ({ signatures }) => signatures.at(-1)?.result;

const ofChain: VerdictOf = ({ arc }) =>
  arc.status === 'known' ? arc.value.report.result : arc.status;

const filesOf = (dir: string) => (existsSync(dir) ? readdirSync(dir).sort() : []);

const toZone = (lines: string): Zone =>
  Object.fromEntries(
    lines.split('\n').map((line) => {
      const space = line.indexOf(' ');
      return [line.slice(0, space).toLowerCase(), { TXT: [line.slice(space + 1)] }];
    }),
  );
