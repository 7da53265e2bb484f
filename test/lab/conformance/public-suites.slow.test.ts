/** Tests the suites of other projects that are kept in this repository. */

import { describe, expect, test } from 'vitest';
import { keptSuites } from './public-suites.ts';

const kept = keptSuites();

test('the suites are complete', () => {
  expect(Object.fromEntries(kept.map(({ name, cases }) => [name, cases.length]))).toEqual({
    'openspf, RFC 7208': 203,
    'ValiMail ARC, validation': 167,
    'OpenDKIM, the tests of libopendkim': 129,
    'rspamd, its functional tests': 61,
    'Signed by dkimpy': 208,
    'Signed by Mail::DKIM': 146,
    'Signed by OpenDKIM': 124,
    'Signed by rspamd': 82,
    'Signed by Exim': 95,
    'Signed by several, one after the other': 21,
    'dkimpy, its tests': 7,
    'go-msgauth, its tests': 6,
  });
});

test('every excepted case belongs to its suite', () => {
  for (const { cases, excepted } of kept)
    expect(cases.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(excepted)));
});

describe.each(kept)('$name', ({ cases, excepted }) => {
  test.each(cases)('$name', async ({ name, run }) => {
    const instead = await run();
    if (instead === null) expect(excepted).not.toHaveProperty([name]);
    else expect(excepted, instead).toHaveProperty([name]);
  });
});
