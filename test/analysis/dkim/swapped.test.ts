/** Tests that two DKIM keys that were swapped between selectors are recognized. */

import { expect, test } from 'vitest';
import type { DkimFact } from '../../../src/analysis/dkim/facts.ts';
import { keySteps } from '../../../src/analysis/dkim/key-steps.ts';
import { ifKnown } from '../../../src/analysis/lookup-result.ts';
import { facts } from '../../support/mail/facts.ts';

const signature = (selector: string, at: string) => ({
  report: { domain: 'example.com', selector, result: 'fail', reason: 'bad_signature' },
  elsewhere: { name: `${at}._domainkey.example.com`, record: 'v=DKIM1; p=x' },
});

const stepsOf = (...signatures: readonly ReturnType<typeof signature>[]) => {
  const all = facts({ dkim: { value: { signatures } } } as never);
  const [one] = ifKnown(all.dkim)?.signatures ?? [];
  return keySteps(one as DkimFact, all);
};

test('two swapped keys of one signer are named, and no record is changed', () => {
  const steps = stepsOf(signature('s2', 's1'), signature('s1', 's2'));
  expect(steps).toMatchObject([{ kind: 'server', operation: 'do' }]);
  expect(steps[0]?.value).toContain('swapped');
});

test('one signature with the key of another selector gets that selector', () => {
  const steps = stepsOf(signature('s2', 's1'), signature('s3', 's1'));
  expect(steps).toMatchObject([{ kind: 'server', name: 'dkim.s', value: 's1' }]);
});
