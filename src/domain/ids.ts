/**
 * Makes and recognizes test ids, which are also the local parts of the tests' email addresses, reserves the
 * id of the sample report, and encodes bytes as base32 for test ids and other ids.
 */

import { type Static, Type } from '@sinclair/typebox';

/** A test id for examples, which no test ever gets. */
const EXAMPLE_ID = 'abcdefgh2345';

/**
 * A test id: 12 characters of lower-case base32, which are 60 bits from a CSPRNG. It is also the local part
 * of the test's address.
 */
export const TestId = Type.String({
  pattern: '^[a-z2-7]{12}$',
  description: 'The test id, as returned at creation.',
  examples: [EXAMPLE_ID],
});
export type TestId = Static<typeof TestId>;

const TEST_ID = new RegExp(TestId.pattern as string);

/** Returns whether `text` has the shape of a test id. */
export const isTestId = (text: string): text is TestId => TEST_ID.test(text);

/**
 * The id of the sample report. It matches the pattern of test ids, so it can be requested, but no test gets
 * it and it accepts no email.
 */
export const SAMPLE_ID = 'samplereport';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';

/** Encodes bytes as base32 (RFC 4648 §6) in lower case without padding. 8 bytes give 13 characters. */
export function toBase32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let buffer = 0;
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) text += ALPHABET[(buffer >>> (bits - 5)) & 31];
    buffer &= (1 << bits) - 1;
  }
  return bits > 0 ? text + ALPHABET[(buffer << (5 - bits)) & 31] : text;
}

/**
 * Makes a test id from at least 8 random bytes. Returns `undefined` if the result is the reserved
 * `SAMPLE_ID`.
 */
export function toTestId(random: Uint8Array): TestId | undefined {
  const id = toBase32(random).slice(0, 12);
  return id === SAMPLE_ID ? undefined : id;
}

/**
 * Returns the test id in a text that is either the id itself or an address with the id as its local part.
 */
export function toId(text: string): TestId | undefined {
  const [local = ''] = text.toLowerCase().split('@');
  return isTestId(local) ? local : undefined;
}
