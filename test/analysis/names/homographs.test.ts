/** Tests which internationalized domain names can be mistaken for others. */

import { domainToASCII } from 'node:url';
import { expect, test } from 'vitest';
import { judgeIdn } from '../../../src/analysis/names/homographs.ts';

test.each([
  ['сосна.com', 'suspicious'],
  ['сосна.рф', 'single_script'],
  // The ending looks Latin too.
  ['сосна.ком', 'suspicious'],
  ['ανα.рф', 'suspicious'],
])('%s', (name, shape) => {
  expect(judgeIdn(domainToASCII(name))).toBe(shape);
});
