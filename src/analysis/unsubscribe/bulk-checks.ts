import { headerStep, type Step } from '../advice/actions.ts';
import { publicFrom } from '../advice/fill.ts';
import { check } from '../check.ts';
import { whichHold } from '../definition.ts';
import type { Facts, HeaderFacts } from '../facts.ts';

type Bulk = HeaderFacts['bulk'];

const isMarked = ({ hasListId, hasFeedbackId }: Bulk) => hasListId || hasFeedbackId;
const lacksListId = ({ bulk }: HeaderFacts) => bulk.isBulk && !isMarked(bulk);
const lacksAutoSubmitted = ({ bulk }: HeaderFacts) => bulk.automated && bulk.autoSubmitted === null;
const isOdd = ({ precedence }: Bulk) => precedence === 'other';

/** Proposed only where it changes nothing else: a `List-Id` would turn other mail into bulk. */
function missingMarkers(headers: HeaderFacts, facts: Facts): readonly Step[] {
  const domain = publicFrom(facts);
  return [
    ...(lacksListId(headers) && domain ? [headerStep('List-Id', `<news.${domain}>`)] : []),
    ...(lacksAutoSubmitted(headers) ? [headerStep('Auto-Submitted', 'auto-generated')] : []),
  ];
}

export const bulkMarkers = check({
  id: 'bulk_markers',
  family: 'identity',
  title: 'Automation and bulk markers',
  source: 'RFC 3834 §5; RFC 2919; Gmail Feedback-ID',
  about: {
    what: 'Headers that say what kind of mail it is: List-Id for lists, Auto-Submitted for automatic mail.',
    why: 'Receivers sort by them, and out-of-office programs use them to keep silent.',
    how: ['Add the header that the report names in the template of this mail.'],
    bad: '(an automatic notice without a marker)',
    good: 'Auto-Submitted: auto-generated',
  },
  subject: ({ headers }) => headers,
  states: ({ suggest, pass }) => ({
    incomplete: suggest.when(
      'automated mail without Auto-Submitted: auto-generated; bulk without List-Id/Feedback-ID; Precedence odd',
      (headers) => lacksAutoSubmitted(headers) || lacksListId(headers) || isOdd(headers.bulk),
    ),
    complete: pass('ok'),
  }),
  detail: ({ bulk }) => {
    const said = [
      bulk.isBulk && `bulk mail, ${isMarked(bulk) ? 'marked' : 'without List-Id and Feedback-ID'}`,
      bulk.automated &&
        `automated mail, ${bulk.autoSubmitted ? 'marked' : 'without Auto-Submitted'}`,
      isOdd(bulk) && 'Precedence has an odd value',
    ].filter((text) => text !== false);
    return said.length > 0 ? `Found: ${said.join('; ')}.` : 'No marker needed.';
  },
  evidence: ({ bulk }) => ({
    bulk: bulk.isBulk,
    list_id_or_feedback_id: isMarked(bulk),
    automated: bulk.automated,
    auto_submitted: bulk.autoSubmitted !== null,
    odd_precedence: isOdd(bulk),
  }),
  fixes: {
    fix: { why: 'Receivers sort and protect mail by its markers.' },
    precedence: { why: 'The Precedence header has a value that receivers do not know.' },
  },
  cases: (headers) =>
    whichHold({
      fix: lacksListId(headers) || lacksAutoSubmitted(headers),
      precedence: isOdd(headers.bulk),
    }),
  steps: (headers, facts, name) =>
    name === 'precedence' ? [headerStep('Precedence', null)] : missingMarkers(headers, facts),
});
