import { askStep } from '../advice/actions.ts';
import { check } from '../check.ts';
import { formatCount } from '../format.ts';
import { known, thenLookup, unknown } from '../lookup-result.ts';
import type { ArcFacts } from './facts.ts';

/** Judges the sender's own chain. The inbound provider's seal is not part of it. */
export const arcChain = check({
  id: 'arc_chain',
  family: 'arc',
  title: 'ARC chain',
  source: 'RFC 8617 §5.2; Gmail asks forwarders for ARC',
  about: {
    what: 'ARC lets a forwarder or mailing list write down what it saw before it changed a mail, and sign that.',
    why: 'If the chain is broken, receivers see only the changed mail, whose DKIM signature no longer fits.',
    how: [
      'Ask who runs the forwarder or list to make ARC sealing the last step, or to turn it off.',
      'To test your own set-up, send directly to the test address.',
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
      'the sender-side chain fails (cv=fail, a gap, a bad seal)',
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
      ? 'No chain.'
      : `${result}, ${formatCount(sets, 'set')}${fault ? `: ${fault}` : ''}.`,
  evidence: ({ report: { result, sets }, fault }) => ({ result, sets, fault }),
  fix: 'The ARC seals that {sealer} added do not verify, so receivers cannot trust what it saw.',
  fixes: {
    unnamed:
      'The ARC seals on this mail do not verify, so receivers cannot trust what the servers on its way saw.',
  },
  cases: ({ sealer }) => (sealer === null ? ['unnamed'] : []),
  values: ({ sealer }) => ({ sealer: sealer ?? '' }),
  steps: ({ sealer }) => [
    askStep(
      `Ask who runs ${sealer ?? 'the forwarder or list that this mail passed'} to add its seal after every other change, or none. To see your own set-up, send directly.`,
      'forwarder',
    ),
  ],
});
