/**
 * Tests that the advice to a fraud is no recipe for a better one, and that a fraud that only changes its name
 * gets no A.
 */

import { describe, expect, test } from 'vitest';
import { findCheck } from '../../../src/analysis/checks.ts';
import { costsOf, reportOn, type WrittenMail } from '../mail/score-mail.ts';

const impersonation = findCheck('impersonation');

test('the advice is not a recipe: it contains no other name and no sentence to copy', () => {
  const fixes = Object.values(impersonation?.fixes ?? {}).map((one) => one.do ?? '');
  expect(fixes.length).toBeGreaterThan(9);
  for (const text of fixes)
    expect(text).not.toMatch(/[“”"{]example|own name|such as: |reword|other words/);
});

/** Frauds whose letter names the brand, as the display name does. */
const signed: readonly WrittenMail[] = [
  {
    from: 'Chase Online <alerts@customer-alert-desk.com>',
    subject: 'Your card',
    body: 'We placed a hold on your Chase card. Sign in and confirm your card number within 12 hours, or it will be closed permanently.\n\nhttps://customer-alert-desk.com/x\n\nChase Fraud Department',
  },
  {
    from: 'Disney+ <billing@membership-renewals.net>',
    subject: 'Membership',
    body: 'Your membership ended because the card was declined. Update your payment details today or you lose access.\n\nhttps://membership-renewals.net/x\n\nThe Disney+ Team',
  },
  {
    from: 'Crédit Agricole <securite@espace-mise-a-jour.com>',
    subject: 'SécuriPass',
    body: 'Votre SécuriPass expire. Activez-le sous 48 heures, sinon votre carte sera bloquée.\n\nhttps://espace-mise-a-jour.com/x\n\nLe service sécurité Crédit Agricole',
  },
  {
    from: 'Intesa Sanpaolo <sicurezza@dati-titolare.info>',
    subject: 'Conto',
    body: 'Il tuo conto è stato limitato. Verifica i tuoi dati entro 24 ore.\n\nhttps://dati-titolare.info/x\n\nCordiali saluti\nIntesa Sanpaolo',
  },
];

describe('a fraud that changes its name and keeps its link', () => {
  test.each(signed)('$from stays below A', (fraud) => {
    for (const name of [/^.*(?= <)/.exec(fraud.from)?.[0], 'Anna Berg', 'Customer Care']) {
      const report = reportOn({ ...fraud, from: fraud.from.replace(/^.*(?= <)/, `${name}`) });
      expect(report.grade, `${name}: ${costsOf(report)}`).not.toBe('A');
    }
  });
});
