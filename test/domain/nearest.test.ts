/** Tests the suggestion for a misspelled word. */

import { expect, test } from 'vitest';
import { nearest } from '../../src/domain/nearest.ts';

const KNOWN = ['dkim_valid', 'dkim_present', 'dmarc_policy', 'fail', 'warn', 'never', 'json'];

test.each([
  ['dkim_vald', 'dkim_valid'],
  ['dkmi_valid', 'dkim_valid'],
  ['DKIM-Valid', 'dkim_valid'],
  ['dkim_presnet', 'dkim_present'],
  ['dmarc_polcy', 'dmarc_policy'],
  ['wran', 'warn'],
  ['jsno', 'json'],
  ['dkim_valid', 'dkim_valid'],
])('%s was meant to be %s', (word, meant) => {
  expect(nearest(word, KNOWN)).toBe(meant);
});

test.each(['', 'xml', 'dkim', 'error', 'dkim_key', 'wnra'])('%j is near no word', (word) => {
  expect(nearest(word, KNOWN)).toBeUndefined();
});
