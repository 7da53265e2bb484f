import { expect, test } from 'vitest';
import { fold, foldPayment } from '../../src/projection/fold.ts';

test('nothing folds to a test that does not exist and a payment that was not begun', () => {
  expect(fold([]).value).toBe('unknown');
  expect(foldPayment([]).value).toBe('unpaid');
});
