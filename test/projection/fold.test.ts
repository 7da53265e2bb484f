/** Tests the folding of events into a state. */

import { expect, test } from 'vitest';
import { fold, foldPayment } from '../../src/projection/fold.ts';

test('nothing folds to a test that does not exist', () => {
  const { value, context } = fold([]);
  expect(value).toBe('unknown');
  expect(context).toEqual({
    at: '',
    createdAt: '',
    sendBefore: '',
    expiresAt: '',
    tokenSha256: '',
    attempts: 0,
    receivedAt: null,
    digest: null,
    refusal: null,
    reportSeq: null,
    failure: null,
  });
});

test('nothing folds to a payment that was not begun', () => {
  const { value, context } = foldPayment([]);
  expect(value).toBe('unpaid');
  expect(context).toEqual({
    attempts: 0,
    started: null,
    startedAt: null,
    signed: [],
    at: null,
    settled: null,
    failed: null,
  });
});
