/** Makes and recognises the ids of tests, which are also the local parts of their addresses. */

import { type Static, Type } from '@sinclair/typebox';

/** An id for examples. No test has it. */
const EXAMPLE_ID = 'abcdefgh2345';

/** 12 characters of lower-case base32: 60 bits from a CSPRNG. It is also the local part of the address. */
export const TestId = Type.String({
  pattern: '^[a-z2-7]{12}$',
  description: 'The test id, as returned at creation.',
  examples: [EXAMPLE_ID],
});
export type TestId = Static<typeof TestId>;

const TEST_ID = new RegExp(TestId.pattern as string);

/** Returns whether `text` has the shape of a test's id. */
export const isTestId = (text: string): text is TestId => TEST_ID.test(text);

/**
 * Reserved for the sample report. It matches the pattern, so it can be requested, but no test gets it and it
 * accepts no email.
 */
export const SAMPLE_ID = 'samplereport';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';

/** Encodes base32 (RFC 4648 §6) in lower case without padding. 8 bytes give 13 characters. */
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

/** Makes a test's id from at least 8 random bytes. Returns `undefined` for the reserved one. */
export function toTestId(random: Uint8Array): TestId | undefined {
  const id = toBase32(random).slice(0, 12);
  return id === SAMPLE_ID ? undefined : id;
}

/** Returns a test's id, given alone or as the local part of its address. */
export function toId(text: string): TestId | undefined {
  const [local = ''] = text.toLowerCase().split('@');
  return isTestId(local) ? local : undefined;
}
