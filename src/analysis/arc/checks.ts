import { askStep } from '../advice/actions.ts';
import { check } from '../check.ts';
import { formatCount } from '../format.ts';
import { known, thenLookup, unknown } from '../lookup-result.ts';
import type { ArcFacts } from './facts.ts';

/**
 * Defines the check on the ARC chain (RFC 8617) that arrived with the email. A seal that our inbound provider
 * added is not part of that chain.
 */
export const arcChain = check({
  id: 'arc_chain',
  family: 'arc',
  title: 'ARC chain',
  source: 'RFC 8617 §5.2; Gmail asks forwarders for ARC',
  about: {
    what: 'ARC lets a forwarder or mailing list record what it saw before it changed an email, and sign that record.',
    why: 'If the chain is broken, receivers see only the changed email, whose DKIM signature no longer verifies.',
    how: [
      'Ask whoever runs the forwarder or list to make ARC sealing the last step, or to turn it off.',
      'To test your own setup, send the email directly to the test address.',
    ],
    bad: 'ARC-Seal: i=1; cv=fail; …',
    good: 'ARC-Seal: i=1; cv=none; …',
  },
  subject: ({ arc }) =>
    thenLookup<ArcFacts, ArcFacts>(arc, (value) =>
      value.report.result === 'temperror'
        ? unknown(`dns: ARC keys of ${value.sealer ?? 'the chain'}: no answer`)
        : known(value),
    ),
  states: ({ warn, info, pass }) => ({
    broken: warn(0).when(
      "the sender's chain fails (cv=fail, a gap or a bad seal)",
      ({ report }) => report.result === 'fail',
    ),
    absent: info.when(
      'no chain (normal for direct mail)',
      ({ report }) => report.result === 'none',
    ),
    valid: pass('valid chain'),
  }),
  detail: ({ report: { result, sets }, fault }) =>
    result === 'none'
      ? 'No ARC chain.'
      : `${result}, ${formatCount(sets, 'set')}${fault ? `: ${fault}` : ''}.`,
  evidence: ({ report: { result, sets }, fault }) => ({ result, sets, fault }),
  fix: 'The ARC seals that {sealer} added do not verify, so receivers cannot trust what it recorded.',
  fixes: {
    unnamed:
      'The ARC seals on this email do not verify, so receivers cannot trust what the servers along the way recorded.',
  },
  cases: ({ sealer }) => (sealer === null ? ['unnamed'] : []),
  values: ({ sealer }) => ({ sealer: sealer ?? '' }),
  steps: ({ sealer }) => [
    askStep(
      `Ask whoever runs ${sealer ?? 'the forwarder or list that this email passed through'} to add its seal after every other change, or not at all. To test your own setup, send the email directly.`,
      'forwarder',
    ),
  ],
});
