import { askStep } from '../advice/actions.ts';
import type { ArcFacts } from '../authentication-facts.ts';
import { defineCheck } from '../define-check.ts';
import { formatCount } from '../format.ts';
import { known, thenLookup, unknown } from '../lookup-result.ts';

/** The sender's own chain: the inbound provider's seal is not part of it. */
export const arcChain = defineCheck({
  id: 'arc_chain',
  subject: ({ arc }) =>
    thenLookup<ArcFacts, ArcFacts>(arc, (value) =>
      value.report.result === 'temperror'
        ? unknown(`dns: ARC keys of ${value.sealer ?? 'the chain'}: no answer`)
        : known(value),
    ),
  ladder: [
    ['warn', ({ report }) => report.result === 'fail'],
    ['info', ({ report }) => report.result === 'none'],
  ],
  detail: ({ report: { result, sets }, fault }) =>
    result === 'none'
      ? 'No chain.'
      : `${result}, ${formatCount(sets, 'set')}${fault ? `: ${fault}` : ''}.`,
  fixes: ({ sealer }) => (sealer === null ? ['unnamed'] : []),
  values: ({ sealer }) => ({ sealer: sealer ?? '' }),
  steps: ({ sealer }) => [
    askStep(
      `Ask who runs ${sealer ?? 'the forwarder or list that this mail passed'} to add its seal after every other change, or none. To see your own set-up, send directly.`,
      'forwarder',
    ),
  ],
});
