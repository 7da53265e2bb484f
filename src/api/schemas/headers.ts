/** Declares the schemas of request and response headers that several routes share. */

import { Type } from '@sinclair/typebox';
import type { HeaderDoc } from './answers.ts';

/** The response header that says how far a test has progressed. */
export const POSITION = {
  'Test-Position': {
    type: 'integer',
    description: 'How far the test has come. It never decreases.',
    examples: [17],
  },
} as const satisfies Record<string, HeaderDoc>;

/** Schema of the request header with the position of a test. Anything that is not a number is ignored. */
export const TestPosition = Type.Optional(
  Type.String({
    description:
      'The `Test-Position` of the last response that you received about this test. No replica then responds with an older status, and a wait ends immediately if anything has happened since.',
    examples: ['17'],
  }),
);

/**
 * Schema of the header with a read token. A token is opaque: any value is hashed and compared, so that every
 * value except the right one is "wrong". Only a request without the header is malformed.
 */
export const readToken = (description: string) =>
  Type.String({ description, examples: ['3q2-7wABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijk'] });
