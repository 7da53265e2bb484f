import { askStep } from '../advice/actions.ts';
import type { ArcFacts } from '../authentication-facts.ts';
import { defineCheck } from '../define-check.ts';
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
    result === 'none' ? 'No chain.' : `${result}, ${sets} sets${fault ? `: ${fault}` : ''}.`,
  values: ({ sealer }) => ({ sealer: sealer ?? 'the host that seals' }),
  steps: ({ sealer }) => [
    askStep(
      `Ask who runs ${sealer ?? 'the host that seals'} to seal last or not at all. To see your own set-up, send directly.`,
      'forwarder',
    ),
  ],
});
