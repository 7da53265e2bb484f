/** Tests our own suites and the examples of the RFCs. */

import { describe, expect, test } from 'vitest';
import { dmarcSuite } from './dmarc.ts';
import { fromSuite } from './from.ts';
import { rfc8463Suite } from './rfc8463.ts';

describe.each([dmarcSuite, fromSuite, rfc8463Suite])('$name', ({ cases, excepted }) => {
  test.each(cases)('$name', async ({ name, run }) => {
    const instead = await run();
    expect(instead === null || Object.hasOwn(excepted, name), instead ?? '').toBe(true);
  });

  test('no name is used twice', () => {
    expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length);
  });
});
