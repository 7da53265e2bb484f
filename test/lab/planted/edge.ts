/**
 * Lists planted faults in the handling of outside input that the edge tests must find: limits, sizes, replies
 * and garbage.
 */

import type { Planted } from './planted.ts';

const SESSIONS = ['test/edge/smtp/rows.int.test.ts'];
const CROWDS = ['test/edge/crowd/crowd.int.test.ts'];
const REQUESTS = ['test/edge/http'];

/** Faults in what comes from outside: limits, sizes, replies, garbage. */
export const edge: readonly Planted[] = [
  {
    name: 'a limit on commands without an email that is not enforced',
    file: 'src/adapters/smtp/wasted-recipients.ts',
    find: 'if (commands <= FEW_COMMANDS) return false;',
    replace: 'if (commands > 0) return false;',
    tests: SESSIONS,
    only: 'commands without an email',
  },
  {
    name: 'one recipient more than the limit',
    file: 'src/adapters/smtp/wasted-recipients.ts',
    find: 'wasted > MAX_A_CONNECTION,',
    replace: 'wasted > MAX_A_CONNECTION + 1,',
    tests: SESSIONS,
    only: 'recipients without a test',
  },
  {
    name: 'an email of one byte too many that is accepted',
    file: 'src/actors/receiver/content.ts',
    find: 'if (size > limit) return',
    replace: 'if (size > limit + 1) return',
    tests: SESSIONS,
    only: 'than the limit',
  },
  {
    name: 'an email as large as the limit that is refused',
    file: 'src/actors/receiver/content.ts',
    find: 'if (size > limit) return',
    replace: 'if (size >= limit) return',
    tests: SESSIONS,
    only: 'as large as the limit',
  },
  {
    name: 'a reply with another code',
    file: 'src/domain/replies.ts',
    find: "'452 4.5.3 Only one",
    replace: "'550 5.5.3 Only one",
    tests: SESSIONS,
    only: 'a second recipient',
  },
  {
    name: 'a line over the limit that is taken as a command',
    file: 'src/adapters/smtp/server.ts',
    find: 'const MAX_COMMAND_LENGTH = 4096;',
    replace: 'const MAX_COMMAND_LENGTH = 8192;',
    tests: SESSIONS,
    only: 'more than 4,096 octets',
  },
  {
    name: '500 for garbage',
    file: 'src/api/plugins/problem.ts',
    find: "SOCKET_ERRORS[error.code ?? ''] ?? 'invalid_request'",
    replace: "SOCKET_ERRORS[error.code ?? ''] ?? 'internal_error'",
    tests: REQUESTS,
  },
  {
    name: 'guesses of a token that nobody counts',
    file: 'src/api/plugins/rate-limits.ts',
    find: 'wrongToken: ({ ip }, testId) => wrongToken(ip, testId),',
    replace: 'wrongToken: ({ ip }, testId) => void [ip, testId],',
    tests: CROWDS,
    only: 'guessed tokens',
  },
  {
    name: 'one header field more than the limit',
    file: 'src/analysis/limits.ts',
    find: 'export const MAX_HEADER_FIELDS = 1000;',
    replace: 'export const MAX_HEADER_FIELDS = 1100;',
    tests: SESSIONS,
    only: 'number of header fields',
  },
  {
    name: 'a request of twice the size',
    file: 'src/api/plugins/http-rules.ts',
    find: 'export const BODY_LIMIT = 16 * 1024;',
    replace: 'export const BODY_LIMIT = 32 * 1024;',
    tests: ['test/api/contract.test.ts'],
  },
];
