/** Lists the suites of other projects that are kept in this repository. */

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readArcSuite } from './arc-suite.ts';
import { readOpendkim } from './opendkim.ts';
import { readOpenspf } from './openspf.ts';
import { readRspamd } from './rspamd.ts';
import { readSignedMails } from './signed-mails.ts';
import type { Suite } from './suite.ts';
import { RECEIVED_AT } from './verify-raw.ts';

const KEPT = fileURLToPath(new URL('../../fixtures/suites/', import.meta.url));

/**
 * Programs that signed emails of ours, the folder, and an instant within the lifetime of their signatures.
 */
const SIGNERS: readonly (readonly [name: string, folder: string, receivedAt: string])[] = [
  ['dkimpy', 'dkimpy', '2023-11-14T22:13:20.000Z'],
  ['Mail::DKIM', 'mail-dkim', '2023-11-14T22:13:20.000Z'],
  ['OpenDKIM', 'opendkim', '2023-11-14T22:13:20.000Z'],
  ['rspamd', 'rspamd', '2026-11-21T23:30:00.000Z'],
  ['Exim', 'exim', '2026-11-21T23:30:00.000Z'],
  ['several, one after the other', 'several', '2026-11-21T23:30:00.000Z'],
];

/** Returns the other projects' suites in this repository. Each has its origin and licence beside it. */
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
