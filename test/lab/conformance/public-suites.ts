import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readArcSuite } from './arc-suite.ts';
import { readMailDkim } from './mail-dkim.ts';
import { readOpendkim } from './opendkim.ts';
import { readOpenspf } from './openspf.ts';
import { readRecordedMails } from './recorded-mails.ts';
import { readRspamd } from './rspamd.ts';
import { readSignedMails } from './signed-mails.ts';
import type { Suite } from './suite.ts';
import { RECEIVED_AT } from './verify-raw.ts';

const KEPT = fileURLToPath(new URL('../../fixtures/suites/', import.meta.url));

/** Programs that signed mails of ours, the folder, and an instant within the life of what they signed. */
const SIGNERS: readonly (readonly [name: string, folder: string, receivedAt: string])[] = [
  ['dkimpy', 'dkimpy', '2023-11-14T22:13:20.000Z'],
  ['Mail::DKIM', 'mail-dkim', '2023-11-14T22:13:20.000Z'],
  ['OpenDKIM', 'opendkim', '2023-11-14T22:13:20.000Z'],
  ['rspamd', 'rspamd', '2026-11-21T23:30:00.000Z'],
  ['Exim', 'exim', '2026-11-21T23:30:00.000Z'],
  ['several, one after the other', 'several', '2026-11-21T23:30:00.000Z'],
];

/** The suites of others that this repository holds: origin and licence lie beside each. */
export const keptSuites = (): readonly Suite[] => [
  readOpenspf(join(KEPT, 'openspf/rfc7208-tests.yml')),
  readArcSuite(join(KEPT, 'arc_test_suite/arc-draft-validation-tests.yml')),
  readOpendkim(join(KEPT, 'opendkim/vectors.json')),
  readRspamd(join(KEPT, 'rspamd')),
  ...SIGNERS.map(([name, folder, receivedAt]) =>
    readSignedMails(`Signed by ${name}`, join(KEPT, `signed-by-${folder}`), receivedAt),
  ),
  readSignedMails('dkimpy, its tests', join(KEPT, 'dkimpy'), RECEIVED_AT),
  readSignedMails('go-msgauth, its tests', join(KEPT, 'go-msgauth'), RECEIVED_AT),
];

/** Those that are not copied, below CORPUS_DIR: checkouts of their repositories, side by side. */
const OUTSIDE: readonly (readonly [path: string, read: (path: string) => Suite])[] = [
  [
    'mail-auth/resources',
    (dir) => readRecordedMails('stalwart mail-auth, DKIM and ARC', dir, '2022-11-07T17:14:24.000Z'),
  ],
  ['mail-dkim/t', readMailDkim],
];

/** The outside suites that are there, and the paths of those that are not. */
export function outsideSuites(corpusDir: string | undefined): {
  readonly suites: readonly Suite[];
  readonly absent: readonly string[];
} {
  const found = OUTSIDE.map(([path, read]) => {
    const full = corpusDir ? join(corpusDir, path) : '';
    return { path, suite: full && existsSync(full) ? read(full) : null };
  });
  return {
    suites: found.flatMap(({ suite }) => suite ?? []),
    absent: found.filter(({ suite }) => !suite).map(({ path }) => path),
  };
}
