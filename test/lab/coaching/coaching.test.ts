/** Tests that a fraud that follows the advice of its report gets no A. */

import { describe, expect, test } from 'vitest';
import { coachedToA, isRecognized, ownFrauds } from './coaching.ts';

/**
 * Frauds with a single contradiction, without which they could be honest: a supplier's or an employee's new
 * account, or a company under its own name that asks its own customers.
 */
const COULD_BE_HONEST = [
  'Buchhaltung <rechnung@supp1ier.com>',
  'Accounts <accounts@harbour-timber.com>: New bank details',
  'Anna Berg <anna.berg@berg-holding.com>: Payroll',
  'Ihr Netflix-Team <info@stream-mails.com>',
  'HMRC <refunds@gov-mails.com>',
  'Finanzamt <service@kundenmails.com>',
  'DKB Kundenservice <service@kundenmails.com>',
  'Havenly <billing@havenly-billing.com>',
  'Corriere BRT <info@consegna-in-giacenza.com>',
];

const frauds = ownFrauds()
  .filter(isRecognized)
  .filter(({ about }) => !COULD_BE_HONEST.some((one) => about.startsWith(one)));

describe('a fraud that follows the advice and keeps its letter and its link', () => {
  test('is one of many', () => expect(frauds.length).toBeGreaterThan(75));

  test.each(frauds)('$about stays below A', (fraud) => {
    expect(coachedToA(fraud)).toEqual([]);
  });
});
