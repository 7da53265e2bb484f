import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readArcSuite } from './arc-suite.ts';
import { readMailAuth } from './mail-auth.ts';
import { readMailDkim } from './mail-dkim.ts';
import { readOpenspf } from './openspf.ts';
import type { Suite } from './suite.ts';

/** Where each suite lies below CORPUS_DIR: checkouts of their repositories, side by side. */
const SUITES: readonly (readonly [path: string, read: (path: string) => Suite])[] = [
  ['pyspf/test/rfc7208-tests.yml', readOpenspf],
  ['arc_test_suite/tests/arc-draft-validation-tests.yml', readArcSuite],
  ['mail-auth/resources', readMailAuth],
  ['mail-dkim/t', readMailDkim],
];

/** The suites of others that are there, and the paths of those that are not. */
export function publicSuites(corpusDir: string | undefined): {
  readonly suites: readonly Suite[];
  readonly absent: readonly string[];
} {
  const found = SUITES.map(([path, read]) => {
    const full = corpusDir ? join(corpusDir, path) : '';
    return { path, suite: full && existsSync(full) ? read(full) : null };
  });
  return {
    suites: found.flatMap(({ suite }) => suite ?? []),
    absent: found.filter(({ suite }) => !suite).map(({ path }) => path),
  };
}
