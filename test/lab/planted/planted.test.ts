/** Tests that every planted fault still matches the source. */

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { planted } from './planted.ts';

test.each(planted)('$name: its text occurs exactly once', ({ file, find }) => {
  expect(readFileSync(file, 'utf8').split(find)).toHaveLength(2);
});
