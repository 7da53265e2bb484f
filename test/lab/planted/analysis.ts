/** Lists planted faults that the tests of checks, fixes and scores must find. */

import type { Planted } from './planted.ts';

const CHECKS = ['test/analysis/checks.test.ts'];

/** Faults that the tables of checks, fixes and scores must find. */
export const analysis: readonly Planted[] = [
  {
    name: 'a cap that is the highest and not the lowest',
    file: 'src/analysis/score.ts',
    find: 'const value = Math.min(...caps.map((cap) => cap.value));',
    replace: 'const value = Math.max(...caps.map((cap) => cap.value));',
    tests: ['test/analysis/score.test.ts'],
  },
  {
    name: 'a family that costs more than its most',
    file: 'src/analysis/score.ts',
    find: 'points: Math.min(most, points)',
    replace: 'points: Math.max(Math.min(most, points), points)',
    tests: ['test/analysis/score.test.ts'],
  },
  {
    name: 'a key of 1023 bits that is long enough',
    file: 'src/analysis/dkim/key-checks.ts',
    find: 'const MIN_RSA_BITS = 1024;',
    replace: 'const MIN_RSA_BITS = 1000;',
    tests: [...CHECKS, 'test/analysis/dkim'],
  },
  {
    name: 'an exclamation mark less',
    file: 'src/analysis/headers/to-and-subject-checks.ts',
    find: 'const MANY_EXCLAMATIONS = 3;',
    replace: 'const MANY_EXCLAMATIONS = 4;',
    tests: CHECKS,
  },
  {
    name: 'a date that may be ahead of the clock by an hour',
    file: 'src/analysis/headers/date-and-id-checks.ts',
    find: 'const MAX_SKEW_SECONDS = 5 * MINUTE_SECONDS;',
    replace: 'const MAX_SKEW_SECONDS = 60 * MINUTE_SECONDS;',
    tests: CHECKS,
  },
  {
    name: 'a foreign server taken for a hired one',
    file: 'src/analysis/advice/whose-server.ts',
    find: 'const isHired = stranger !== undefined && worksFor(stranger, facts);',
    replace: 'const isHired = stranger !== undefined && (worksFor(stranger, facts) || true);',
    tests: ['test/analysis/advice'],
  },
  {
    name: 'a reply by its first letters only in English',
    file: 'src/analysis/syntax/reply-prefixes.ts',
    find: "'re|aw|sv|",
    replace: "'re|",
    tests: ['test/analysis/headers', 'test/analysis/mail', ...CHECKS],
  },
  {
    name: 'elements without a limit to their depth',
    file: 'src/analysis/html/open-elements.ts',
    find: 'if (this.open.length >= MAX_HTML_DEPTH) return false;',
    replace: '',
    tests: ['test/analysis/html', 'test/analysis/mail'],
  },
  {
    name: 'a Message-ID whole in the report',
    file: 'src/analysis/mail/header-facts.ts',
    find: 'messageId: readMessageId(block, [domain, helo]),',
    replace:
      "messageId: { ...readMessageId(block, [domain, helo]), domain: fieldsNamed(block, 'message-id')[0]?.value.trim() ?? null },",
    tests: ['test/analysis/mail'],
  },
  {
    name: 'what is not known costs nothing in the lowest score',
    file: 'src/analysis/score.ts',
    find: 'const unknown = judged.filter(({ state }) => state === null);',
    replace: 'const unknown = judged.filter(({ state }) => state === undefined);',
    tests: ['test/analysis/score.test.ts'],
  },
];
