/** Tests that times are formatted in RFC 3339, or rejected if that is impossible. */

import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect, test } from 'vitest';
import { toDateTime } from '../../src/domain/instant.ts';

const isDateTime = formats
  .default(new Ajv2020())
  .compile({ type: ['string', 'null'], format: 'date-time' });

test.each([
  [0, '1970-01-01T00:00:00.000Z'],
  [Date.parse('9999-12-31T23:59:59.999Z'), '9999-12-31T23:59:59.999Z'],
  [Date.parse('9999-12-31T23:59:59.999Z') + 1, null],
  [Date.parse('0000-01-01T00:00:00.000Z'), '0000-01-01T00:00:00.000Z'],
  [Date.parse('0000-01-01T00:00:00.000Z') - 1, null],
  [8.64e15, null],
  [Number.NaN, null],
  [Number.POSITIVE_INFINITY, null],
])('%d milliseconds are %s', (milliseconds, expected) => {
  expect(toDateTime(milliseconds)).toBe(expected);
  expect(isDateTime(toDateTime(milliseconds))).toBe(true);
});
