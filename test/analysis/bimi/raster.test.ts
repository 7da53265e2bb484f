/** Tests that a BIMI record whose logo is not an SVG is recognized as broken. */

import { expect, test } from 'vitest';
import { correctBimi, readBimi } from '../../../src/analysis/bimi/parse.ts';

test.each(['https://example.com/logo.png', 'https://example.com/logo.JPG?v=2'])(
  'a picture that is not an SVG is no logo, and is not published again: %s',
  (url) => {
    expect(readBimi([`v=BIMI1; l=${url}`])).toMatchObject({ state: 'broken' });
    expect(correctBimi(`v=BIMI1; l=${url}`)).toBeNull();
  },
);

test.each([
  'https://example.com/logo.svg',
  'https://example.com/logo',
  'https://example.com/a.png/b',
])('a logo may have any other name: %s', (url) => {
  expect(readBimi([`v=BIMI1; l=${url}`])).toMatchObject({ state: 'usable' });
});
