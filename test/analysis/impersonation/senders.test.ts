/** Tests that the real owners of imitated names are not taken for impostors. */

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { costsOf, reportOn } from '../mail/score-mail.ts';

/** Names that are often imitated, at domains of their owners. */
const senders = readFileSync('test/analysis/impersonation/senders.txt', 'utf8').trim().split('\n');

const BODIES = [
  'Your statement is ready.',
  'Your account is locked. Sign in today and confirm your details, or it will be closed. Pay the customs fee of 1.99 EUR for your parcel within 24 hours.',
];

test.each(senders)('%s is not an impostor, whatever it writes', (from) => {
  for (const body of BODIES) {
    const report = reportOn({ from, subject: 'Message', body });
    const accused = report.findings.filter(
      ({ id, points = 0 }) =>
        points > 0 && ['impersonation', 'from_display_name', 'from_domain_lookalike'].includes(id),
    );
    expect(accused, costsOf(report)).toEqual([]);
  }
});
