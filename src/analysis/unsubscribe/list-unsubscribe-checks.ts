/**
 * The checks of List-Unsubscribe and of bulk markers, with the steps and the judgement of DKIM coverage that
 * other unsubscribe checks share.
 */

import type { Classification } from '../../domain/report/message.ts';
import { headerStep, type Step, serverStep, wordsStep } from '../advice/actions.ts';
import { publicFrom } from '../advice/fill.ts';
import { passedBefore } from '../advice/whose-server.ts';
import { check } from '../check.ts';
import { whichHold } from '../definition.ts';
import type { DkimFact } from '../dkim/facts.ts';
import { bestSignature, isUndecided, passes, whyUndecided } from '../dkim/results.ts';
import type { Facts, HeaderFacts } from '../facts.ts';
import { formatId } from '../format.ts';
import { ifKnown, known, type LookupResult, mapLookup, unknown } from '../lookup-result.ts';

/**
 * Returns the List-Unsubscribe facts with the kind of email. A missing optional field costs no points if the
 * email is not bulk, or not certainly so.
 */
export const withBulk = ({ headers }: Facts) =>
  mapLookup(headers, ({ bulk, listUnsubscribe, classification }) => ({
    bulk: bulk.isBulk,
    mayBe: bulk.mayBe,
    classification,
    ...listUnsubscribe,
  }));

/** Returns a sentence about the kind of email that says how it was judged, how sure that is, and why. */
const formatKind = (
  { class: name, confidence, evidence }: Classification,
  bulk: boolean,
  mayBe: boolean,
): string => {
  const why = evidence.slice(0, MAX_EVIDENCE).join('; ');
  if (name === 'unknown') return `The kind of email is not clear${why && ` (${why})`}`;
  const judged = bulk ? ', which is bulk mail' : mayBe ? ', which may be bulk mail' : '';
  return `Classified as ${formatId(name)} (confidence ${confidence}: ${why})${judged}`;
};

/** Number of signs for the kind of email that are named, the strongest first. */
const MAX_EVIDENCE = 4;

/**
 * The step that adds List-Unsubscribe. Only the sender's own system knows the address to put there (RFC
 * 8058).
 */
export const uriStep = wordsStep(
  'header',
  'Set the List-Unsubscribe header to an https URL, in angle brackets, that unsubscribes this recipient when it receives a POST request. Your mailing software has that URL, or can create it.',
  'sender',
  'List-Unsubscribe',
);

export const postStep = headerStep('List-Unsubscribe-Post', 'List-Unsubscribe=One-Click');

/**
 * Returns the steps that make DKIM cover both unsubscribe fields, which must be signed (RFC 8058 §4). If the
 * email has no signature, another finding says so.
 */
export const coverSteps = (facts: Facts): readonly Step[] => {
  const one = signatureToFix(facts);
  const names = one ? uncovered(one) : [];
  return names.length > 0 ? [signStep(names)] : [];
};

export const signStep = (names: readonly string[]): Step => ({
  ...serverStep('dkim.h', names.join(', ')),
  operation: 'add',
});

export const listUnsubscribe = check({
  id: 'list_unsubscribe',
  family: 'unsubscribe',
  header: 'List-Unsubscribe',
  title: 'List-Unsubscribe header',
  source: 'RFC 2369 §3.2; Gmail/Yahoo bulk',
  about: {
    what: 'List-Unsubscribe is a header that lets mail programs show an unsubscribe button.',
    why: 'Gmail and Yahoo require it in marketing mail. Readers who find no such button press “Spam” instead.',
    how: [
      'Turn it on in your newsletter tool; most tools add it automatically.',
      'In your own code, add the two headers with a link that is unique to the recipient.',
    ],
    bad: '(no List-Unsubscribe header)',
    good: 'List-Unsubscribe: <https://example.com/u/8f3k2>\nList-Unsubscribe-Post: List-Unsubscribe=One-Click',
  },
  subject: withBulk,
  states: ({ fail, suggest, info, pass }) => ({
    absent: fail(12).when(
      'bulk, and the header is absent',
      ({ bulk, present }) => bulk && !present,
    ),
    perhaps_needed: suggest.when(
      'perhaps bulk, and the header is absent',
      ({ mayBe, present }) => mayBe && !present,
    ),
    not_needed: info.when('not bulk, and absent', ({ present }) => !present),
    present: pass('present'),
  }),
  detail: ({ bulk, mayBe, present, classification }) =>
    `${formatKind(classification, bulk, mayBe)}; the header is ${present ? 'present' : 'absent'}.`,
  evidence: ({ bulk, mayBe, present, classification }) => ({
    bulk,
    may_be_bulk: mayBe,
    present,
    signs: classification.evidence,
  }),
  fix: 'Mail programs cannot offer a way to unsubscribe from this email, so readers report it as spam.',
  fixes: {
    perhaps:
      'If this email goes to many recipients, Gmail and Yahoo require this header. If it goes to a single recipient, it does not need it.',
  },
  cases: ({ bulk }) => (bulk ? [] : ['perhaps']),
  steps: (_, facts) => [uriStep, postStep, ...coverSteps(facts)],
});

export const coversBoth = (one: DkimFact): boolean =>
  one.coversListUnsubscribe && one.coversListUnsubscribePost;

/**
 * Returns whether the `h=` tag of a passing signature covers both unsubscribe fields (RFC 8058 §4). The
 * result is unknown if a signature that covers both could not be verified.
 */
export const coversOneClick = (facts: Facts): LookupResult<boolean> => {
  const { dkim } = facts;
  if (dkim.status === 'unknown') return dkim;
  const covering = dkim.value.signatures.filter(coversBoth);
  if (covering.some((one) => passes(one) || passedBefore(one, facts))) return known(true);
  const open = covering.find(isUndecided);
  return open ? unknown(whyUndecided(open)) : known(false);
};

/** Returns the unsubscribe fields that a signature does not cover. */
export const uncovered = (one: DkimFact): readonly string[] => [
  ...(one.coversListUnsubscribe ? [] : ['list-unsubscribe']),
  ...(one.coversListUnsubscribePost ? [] : ['list-unsubscribe-post']),
];

/**
 * Returns the signature that should cover both unsubscribe fields: one that passes, or otherwise one that
 * would be suitable if it passed.
 */
export const signatureToFix = ({ dkim }: Facts): DkimFact | undefined => {
  const all = ifKnown(dkim);
  if (!all) return undefined;
  const best = bestSignature(all);
  return best && passes(best) ? best : (all.signatures.find(coversBoth) ?? best);
};

type Bulk = HeaderFacts['bulk'];

const isMarked = ({ hasListId, hasFeedbackId }: Bulk) => hasListId || hasFeedbackId;
const lacksListId = ({ bulk }: HeaderFacts) => bulk.isBulk && !isMarked(bulk);
const lacksAutoSubmitted = ({ bulk }: HeaderFacts) => bulk.automated && bulk.autoSubmitted === null;
const isOdd = ({ precedence }: Bulk) => precedence === 'other';

/** Returns the steps that add the header fields that this kind of email lacks. */
function missingMarkers(headers: HeaderFacts, facts: Facts): readonly Step[] {
  const domain = publicFrom(facts);
  return [
    ...(lacksListId(headers) && domain ? [headerStep('List-Id', `<news.${domain}>`)] : []),
    ...(lacksAutoSubmitted(headers)
      ? [headerStep('Auto-Submitted', headers.bulk.isResponse ? 'auto-replied' : 'auto-generated')]
      : []),
  ];
}

export const bulkMarkers = check({
  id: 'bulk_markers',
  family: 'identity',
  title: 'Automation and bulk markers',
  source: 'RFC 3834 §5; RFC 2919; Gmail Feedback-ID',
  about: {
    what: 'Some headers say what kind of email it is: List-Id for lists, Auto-Submitted for automatic mail.',
    why: 'Receivers use them to sort mail, and auto-responders use them to know when not to reply.',
    how: ['In the template of this email, add the header that the report names.'],
    bad: '(an automatic notice without a marker)',
    good: 'Auto-Submitted: auto-generated',
  },
  subject: ({ headers }) => headers,
  states: ({ suggest, pass }) => ({
    incomplete: suggest.when(
      'automated mail without Auto-Submitted: auto-generated; bulk mail without List-Id or Feedback-ID; an unusual Precedence',
      (headers) => lacksAutoSubmitted(headers) || lacksListId(headers) || isOdd(headers.bulk),
    ),
    complete: pass('ok'),
  }),
  detail: ({ bulk }) => {
    const said = [
      bulk.isBulk && `bulk mail, ${isMarked(bulk) ? 'marked' : 'without List-Id or Feedback-ID'}`,
      bulk.automated &&
        `automated mail, ${bulk.autoSubmitted ? 'marked' : 'without Auto-Submitted'}`,
      isOdd(bulk) && 'Precedence has an unusual value',
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
  fix: 'This email lacks the headers by which receivers recognize its kind.',
  fixes: {
    precedence: 'The Precedence header has a value that receivers do not know.',
  },
  cases: (headers) =>
    whichHold({
      fix: lacksListId(headers) || lacksAutoSubmitted(headers),
      precedence: isOdd(headers.bulk),
    }),
  steps: (headers, facts, name) =>
    name === 'precedence' ? [headerStep('Precedence', null)] : missingMarkers(headers, facts),
});
