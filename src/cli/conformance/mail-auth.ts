import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Zone } from '../demo/dns-zone.ts';
import { type Case, differs, type Suite } from './suite.ts';
import { toCrlf, type Verified, verifyRaw } from './verify-raw.ts';
import { askZone } from './zone-resolver.ts';

/** Within the life of every recorded signature. */
const RECEIVED_AT = '2022-11-07T17:14:24.000Z';

/** Recorded mails of stalwartlabs/mail-auth: their keys first, a blank line, then the mail. */
export const readMailAuth = (dir: string): Suite => ({
  name: 'stalwart mail-auth, DKIM and ARC',
  cases: [
    ...casesIn(join(dir, 'dkim'), ({ signatures }) => signatures.at(-1)?.result),
    ...casesIn(join(dir, 'arc'), ({ arc }) =>
      arc.status === 'known' ? arc.value.report.result : arc.status,
    ),
  ],
  excepted: {},
});

const casesIn = (dir: string, verdictOf: (verified: Verified) => string | undefined): Case[] =>
  readdirSync(dir)
    .sort()
    .map((file) => ({
      name: join(dir, file).split('/').slice(-2).join('/'),
      run: async () => {
        const text = readFileSync(join(dir, file), 'utf8').replaceAll('\r\n', '\n');
        const end = text.indexOf('\n\n');
        const mail = toCrlf(text.slice(end + 2));
        const verified = await verifyRaw(mail, askZone(toZone(text.slice(0, end))), RECEIVED_AT);
        return differs(verdictOf(verified), ['pass']);
      },
    }));

const toZone = (lines: string): Zone =>
  Object.fromEntries(
    lines.split('\n').map((line) => {
      const space = line.indexOf(' ');
      return [line.slice(0, space).toLowerCase(), { TXT: [line.slice(space + 1)] }];
    }),
  );
