import type { Classification } from '../../domain/report/message.ts';
import { headerStep, type Step, serverStep, wordsStep } from '../advice/actions.ts';
import { passedBefore } from '../advice/whose-server.ts';
import { check } from '../check.ts';
import type { DkimFact } from '../dkim/facts.ts';
import { bestSignature, isUndecided, passes, whyUndecided } from '../dkim/results.ts';
import type { Facts } from '../facts.ts';
import { formatId } from '../format.ts';
import { ifKnown, known, type LookupResult, mapLookup, unknown } from '../lookup-result.ts';

/** For mail that is not bulk every state here is `info`: an optional header never costs points. */
export const withBulk = ({ headers }: Facts) =>
  mapLookup(headers, ({ bulk, listUnsubscribe, classification }) => ({
    bulk: bulk.isBulk,
    classification,
    ...listUnsubscribe,
  }));

/** What the mail was taken for, how surely, and why. */
const formatKind = (
  { class: name, confidence, evidence }: Classification,
  bulk: boolean,
): string => {
  const why = evidence.slice(0, MAX_EVIDENCE).join('; ');
  if (name === 'unknown') return `Not taken for one kind of mail${why && ` (${why})`}`;
  const sure = name === 'marketing' && !bulk ? ', too little to ask anything of it' : '';
  return `Taken for ${formatId(name)} (confidence ${confidence}: ${why})${bulk ? ', which is bulk mail' : sure}`;
};

/** Signs that are named, the strongest first. */
const MAX_EVIDENCE = 4;

/** RFC 8058: which address it is only the sender's own system knows. */
export const uriStep = wordsStep(
  'header',
  'Set the header List-Unsubscribe to the https address that unsubscribes this reader when it gets a POST request, in angle brackets. Your mailing software has it, or can make it.',
  'sender',
  'List-Unsubscribe',
);

export const postStep = headerStep('List-Unsubscribe-Post', 'List-Unsubscribe=One-Click');

/** Both headers have to be signed (RFC 8058 §4); without a signature that is another finding. */
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
  title: 'List-Unsubscribe header',
  source: 'RFC 2369 §3.2; Gmail/Yahoo bulk',
  about: {
    what: 'A header that lets the mail program show an unsubscribe button.',
    why: 'Gmail and Yahoo require it of marketing mail. Readers who find no button press “spam”.',
    how: [
      'Turn it on in your newsletter tool; most add it by themselves.',
      'In your own code add the two headers with a link that is made for the recipient.',
    ],
    bad: '(no List-Unsubscribe header)',
    good: 'List-Unsubscribe: <https://example.com/u/8f3k2>\nList-Unsubscribe-Post: List-Unsubscribe=One-Click',
  },
  subject: withBulk,
  states: ({ fail, info, pass }) => ({
    absent: fail(12).when(
      'bulk, and the header is absent',
      ({ bulk, present }) => bulk && !present,
    ),
    not_needed: info.when('not bulk, and absent', ({ present }) => !present),
    present: pass('present'),
  }),
  detail: ({ bulk, present, classification }) =>
    `${formatKind(classification, bulk)}; the header is ${present ? 'present' : 'absent'}.`,
  evidence: ({ bulk, present }) => ({ bulk, present }),
  fixes: {
    fix: {
      why: 'Mail clients offer no way to unsubscribe from this mail, so readers report it as spam.',
    },
  },
  steps: (_, facts) => [uriStep, postStep, ...coverSteps(facts)],
});

export const coversBoth = (one: DkimFact): boolean =>
  one.coversListUnsubscribe && one.coversListUnsubscribePost;

/**
 * Whether a passing signature covers both headers (RFC 8058 §4), by its `h=`. Unknown when a signature
 * that covers both could not be verified.
 */
export const coversOneClick = (facts: Facts): LookupResult<boolean> => {
  const { dkim } = facts;
  if (dkim.status === 'unknown') return dkim;
  const covering = dkim.value.signatures.filter(coversBoth);
  if (covering.some((one) => passes(one) || passedBefore(one, facts))) return known(true);
  const open = covering.find(isUndecided);
  return open ? unknown(whyUndecided(open)) : known(false);
};

/** The two headers, or those of them that a signature does not cover. */
export const uncovered = (one: DkimFact): readonly string[] => [
  ...(one.coversListUnsubscribe ? [] : ['list-unsubscribe']),
  ...(one.coversListUnsubscribePost ? [] : ['list-unsubscribe-post']),
];

/** The signature that should cover both: one that passes, else one that would if it passed. */
export const signatureToFix = ({ dkim }: Facts): DkimFact | undefined => {
  const all = ifKnown(dkim);
  if (!all) return undefined;
  const best = bestSignature(all);
  return best && passes(best) ? best : (all.signatures.find(coversBoth) ?? best);
};
