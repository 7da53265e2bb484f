/** Tests which combinations of evidence on the chain prove the outcome of a payment. */

import { expect, test } from 'vitest';
import { type Evidence, provenBy } from '../../../src/adapters/chain/verdict.ts';

const values = {
  used: [false, true],
  expired: [false, true],
  log: ['AuthorizationUsed', 'AuthorizationCanceled', 'older', 'none', 'not read'],
  receipt: ['our transfer', 'cancellation', 'neither', 'not read'],
} as const;

const all: Evidence[] = values.used.flatMap((used) =>
  values.expired.flatMap((expired) =>
    values.log.flatMap((log) => values.receipt.map((receipt) => ({ used, expired, log, receipt }))),
  ),
);

test('seven of the 80 combinations prove something', () => {
  const proven = all.flatMap((evidence) => {
    const state = provenBy(evidence);
    const { used, expired, log, receipt } = evidence;
    return state
      ? [`${used ? 'used' : 'unused'}, ${expired ? 'late' : 'early'}, ${log}, ${receipt}: ${state}`]
      : [];
  });
  expect(proven).toEqual([
    'unused, early, not read, not read: open',
    'unused, late, none, not read: dead',
    'used, early, AuthorizationUsed, our transfer: settled',
    'used, early, AuthorizationCanceled, cancellation: cancelled',
    'used, late, AuthorizationUsed, our transfer: settled',
    'used, late, AuthorizationCanceled, cancellation: cancelled',
    'used, late, older, not read: spent',
  ]);
});
