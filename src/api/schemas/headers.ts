import { Type } from '@sinclair/typebox';
import type { HeaderDoc } from './answers.ts';

/** How far a test has come, in an answer about it. */
export const POSITION = {
  'Test-Position': {
    type: 'integer',
    description: 'How far the test has come. It never falls.',
    examples: [17],
  },
} as const satisfies Record<string, HeaderDoc>;

/** The same in a request; what is no number is ignored. */
export const TestPosition = Type.Optional(
  Type.String({
    description:
      'The `Test-Position` of your last answer about this test: no replica answers with an older status, and a wait ends at once when more has happened.',
    examples: ['17'],
  }),
);

/**
 * A token is opaque to its holder: whatever could be one is judged by its hash alone, so that a
 * mistyped one is "wrong" and only what cannot be a token is "malformed".
 */
export const readToken = (description: string) =>
  Type.String({
    pattern: '^[A-Za-z0-9_-]{1,128}$',
    description,
    examples: ['3q2-7wABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijk'],
  });
