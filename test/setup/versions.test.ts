/** Tests the comparison of program versions. */

import { expect, test } from 'vitest';
import { isAtLeast, versionOf } from '../../src/setup/process.mjs';

test.each([
  ['2.9.25', '2.10', false],
  ['2.10.0', '2.10', true],
  ['2.10.27', '2.10', true],
  ['3.0.0', '2.10', true],
  ['1.99.0', '2.10', false],
  ['v24.0.0', '24', true],
  ['v23.11.1', '24', false],
  ['24.0.0-rc.1', '24', true],
])('%s is at least %s: %s', (version, least, answer) => {
  expect(isAtLeast(version, least)).toBe(answer);
});

test('a program that does not exist has no version', () => {
  expect(versionOf('/nonexistent/program')).toBeUndefined();
});
