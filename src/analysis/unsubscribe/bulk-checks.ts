import { headerStep, type Step } from '../advice/actions.ts';
import { publicFrom } from '../advice/fill.ts';
import { defineCheck } from '../define-check.ts';
import type { Facts } from '../facts.ts';
import type { HeaderFacts } from '../mail-facts.ts';

const lacksListId = ({ bulk }: HeaderFacts) => bulk.isBulk && !bulk.hasListIdOrFeedbackId;
const lacksAutoSubmitted = ({ bulk }: HeaderFacts) => bulk.automated && !bulk.hasAutoSubmitted;

/** Proposed only where it changes nothing else: a `List-Id` would turn other mail into bulk. */
function missingMarkers(headers: HeaderFacts, facts: Facts): readonly Step[] {
  const domain = publicFrom(facts);
  return [
    ...(lacksListId(headers) && domain ? [headerStep('List-Id', `<news.${domain}>`)] : []),
    ...(lacksAutoSubmitted(headers) ? [headerStep('Auto-Submitted', 'auto-generated')] : []),
  ];
}

export const bulkMarkers = defineCheck({
  id: 'bulk_markers',
  subject: ({ headers }) => headers,
  ladder: [
    [
      'info',
      (headers) =>
        lacksAutoSubmitted(headers) || lacksListId(headers) || headers.bulk.oddPrecedence,
    ],
  ],
  detail: ({ bulk }) => {
    const said = [
      bulk.isBulk &&
        `bulk mail, ${bulk.hasListIdOrFeedbackId ? 'marked' : 'without List-Id and Feedback-ID'}`,
      bulk.automated &&
        `automated mail, ${bulk.hasAutoSubmitted ? 'marked' : 'without Auto-Submitted'}`,
      bulk.oddPrecedence && 'Precedence has an odd value',
    ].filter((text) => text !== false);
    return said.length > 0 ? `Found: ${said.join('; ')}.` : 'No marker needed.';
  },
  fixes: (headers) => [
    ...(lacksListId(headers) || lacksAutoSubmitted(headers) ? ['fix'] : []),
    ...(headers.bulk.oddPrecedence ? ['precedence'] : []),
  ],
  steps: (headers, facts, name) =>
    name === 'precedence' ? [headerStep('Precedence', null)] : missingMarkers(headers, facts),
});
