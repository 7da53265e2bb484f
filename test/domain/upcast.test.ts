/** Tests how events of older versions are converted to the current one. */

import { expect, test } from 'vitest';
import { upcast } from '../../src/domain/upcast.ts';

/** Version 2 renames a member, version 3 adds one. */
const steps = {
  Moved: {
    1: ({ v, type, ...rest }: { v: number; type: string; place?: string }) => {
      const { place, ...others } = rest;
      return { ...others, v: v + 1, type, where: place };
    },
    2: (stored: { v: number; type: string }) => ({ ...stored, v: 3, how: 'on foot' }),
  },
};

test.each([
  [1, { v: 1, type: 'Moved', place: 'here' }],
  [2, { v: 2, type: 'Moved', where: 'here' }],
  [3, { v: 3, type: 'Moved', where: 'here', how: 'on foot' }],
])('an event of version %i is read as one of version 3', (_v, stored) => {
  expect(upcast(stored, steps)).toEqual({ v: 3, type: 'Moved', where: 'here', how: 'on foot' });
});

test.each([
  [undefined],
  [null],
  ['text'],
  [7],
  [{}],
  [{ v: '1', type: 'Moved' }],
  [{ v: 1, type: 'Unknown' }],
  [{ v: 9, type: 'Moved' }],
  [{ v: 1, type: '__proto__' }],
])('%j is returned unchanged', (stored) => {
  expect(upcast(stored, steps)).toBe(stored);
});

test('a step that leads nowhere is a defect, not an endless loop', () => {
  expect(() => upcast({ v: 1, type: 'Moved' }, { Moved: { 1: (same) => same } })).toThrow(
    'Moved@1',
  );
});
