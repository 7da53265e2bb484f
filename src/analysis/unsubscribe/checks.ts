import { headerStep, type Step, serverStep, wordsStep } from '../advice/actions.ts';
import { signingDomain } from '../advice/fill.ts';
import { passedBefore } from '../advice/whose-server.ts';
import type { DkimFact } from '../authentication-facts.ts';
import { defineCheck } from '../define-check.ts';
import {
  dkimOthers,
  signatureCause,
  signatureSteps,
  signingSteps,
  unsignedCause,
} from '../dkim/fixes.ts';
import { bestSignature, isUndecided, passes, whyUndecided } from '../dkim/results.ts';
import type { Facts } from '../facts.ts';
import { formatId, formatList } from '../format.ts';
import {
  ifKnown,
  known,
  type LookupResult,
  mapLookup,
  thenLookup,
  unknown,
} from '../lookup-result.ts';
import type { HeaderFacts } from '../mail-facts.ts';

/** For mail that is not bulk every state here is `info`: an optional header never costs points. */
const withBulk = ({ headers }: Facts) =>
  mapLookup(headers, ({ bulk, listUnsubscribe, classification }) => ({
    bulk: bulk.isBulk,
    classification,
    ...listUnsubscribe,
  }));

/** What the mail was taken for, how surely, and why. */
const formatKind = (
  { class: name, confidence, evidence }: HeaderFacts['classification'],
  bulk: boolean,
): string => {
  const why = evidence.slice(0, MAX_EVIDENCE).join('; ');
  if (name === 'unknown') return `Not taken for one kind of mail${why && ` (${why})`}`;
  const sure = name === 'marketing' && !bulk ? ', too little to ask anything of it' : '';
  return `Taken for ${formatId(name)} (confidence ${confidence}: ${why})${bulk ? ', which is bulk mail' : sure}`;
};

/** Signs that are named, the strongest first. */
const MAX_EVIDENCE = 4;

/** The header, whatever is wrong with it. */
const LIST_UNSUBSCRIBE = 'list_unsubscribe';

/** RFC 8058: which address it is only the sender's own system knows. */
const uriStep = wordsStep(
  'header',
  'Set the header List-Unsubscribe to the https address that unsubscribes this reader when it gets a POST request, in angle brackets. Your mailing software has it, or can make it.',
  'sender',
  'List-Unsubscribe',
);

const postStep = headerStep('List-Unsubscribe-Post', 'List-Unsubscribe=One-Click');

/** Both headers have to be signed (RFC 8058 §4); without a signature that is another finding. */
const coverSteps = (facts: Facts): readonly Step[] => {
  const one = signatureToFix(facts);
  const names = one ? uncovered(one) : [];
  return names.length > 0 ? [signStep(names)] : [];
};

const signStep = (names: readonly string[]): Step => ({
  ...serverStep('dkim.h', names.join(', ')),
  operation: 'add',
});

export const listUnsubscribe = defineCheck({
  id: 'list_unsubscribe',
  subject: withBulk,
  ladder: [
    ['fail', ({ bulk, present }) => bulk && !present],
    ['info', ({ present }) => !present],
  ],
  detail: ({ bulk, present, classification }) =>
    `${formatKind(classification, bulk)}; the header is ${present ? 'present' : 'absent'}.`,
  steps: (_, facts) => [uriStep, postStep, ...coverSteps(facts)],
});

const FAULTS: Readonly<Record<string, string>> = {
  no_brackets: 'a URI without angle brackets',
  separator: 'no comma between two URIs',
  space: 'a space in a URI',
  http: 'http:// and no https://',
  several: 'more than one header, or more than one URI of a kind',
  placeholder: 'a template field',
};

export const listUnsubscribeSyntax = defineCheck({
  id: 'list_unsubscribe_syntax',
  subject: withBulk,
  ladder: [
    ['warn', ({ bulk, faults }) => bulk && faults.length > 0],
    ['info', ({ faults }) => faults.length > 0],
  ],
  detail: ({ faults }) =>
    faults.length > 0
      ? `Found: ${faults.map((fault) => FAULTS[fault] ?? formatId(fault)).join(', ')}.`
      : 'Well formed.',
  // The faults are the catalogue's cases.
  fixes: ({ faults }) => faults,
  cause: () => LIST_UNSUBSCRIBE,
});

const POST_FAULTS = {
  value: 'there, but not with the value List-Unsubscribe=One-Click',
  repeated: 'more than once',
} as const;

export const oneClick = defineCheck({
  id: 'one_click',
  subject: withBulk,
  ladder: [
    ['fail', ({ bulk, https, post }) => bulk && !(https && post)],
    ['info', ({ https, post }) => !(https && post)],
  ],
  detail: ({ https, post, postFault }) =>
    `https URI: ${https ? 'yes' : 'no'}; List-Unsubscribe-Post: ${postFault ? POST_FAULTS[postFault] : post ? 'yes' : 'no'}.`,
  fixes: ({ https, post, postFault }) => [
    ...(https ? [] : ['https']),
    ...(post ? [] : [postFault ?? 'post']),
  ],
  cause: ({ https }) => (https ? 'one_click' : LIST_UNSUBSCRIBE),
  steps: (_, facts, name) => [name === 'https' ? uriStep : postStep, ...coverSteps(facts)],
});

const coversBoth = (one: DkimFact): boolean =>
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
const uncovered = (one: DkimFact): readonly string[] => [
  ...(one.coversListUnsubscribe ? [] : ['list-unsubscribe']),
  ...(one.coversListUnsubscribePost ? [] : ['list-unsubscribe-post']),
];

/** The signature that should cover both: one that passes, else one that would if it passed. */
const signatureToFix = ({ dkim }: Facts): DkimFact | undefined => {
  const all = ifKnown(dkim);
  if (!all) return undefined;
  const best = bestSignature(all);
  return best && passes(best) ? best : (all.signatures.find(coversBoth) ?? best);
};

/** Which of the two headers each signature covers. */
const coverage = ({ dkim }: Facts): string =>
  dkim.status === 'unknown' || dkim.value.signatures.length === 0
    ? 'no signature'
    : dkim.value.signatures
        .map((one) => {
          const covered = [
            ...(one.coversListUnsubscribe ? ['list-unsubscribe'] : []),
            ...(one.coversListUnsubscribePost ? ['list-unsubscribe-post'] : []),
          ];
          const { domain, result } = one.report;
          return `${domain} (${result}) covers ${covered.join(' and ') || 'neither header'}`;
        })
        .join('; ');

export const oneClickSigned = defineCheck({
  id: 'one_click_signed',
  // Of a header that is not there `one_click` speaks: a signature may cover it all the same.
  subject: (facts) =>
    thenLookup(withBulk(facts), ({ bulk, post, postFault }) =>
      thenLookup<boolean, { bulk: boolean; signed: boolean }>(coversOneClick(facts), (signed) =>
        signed || post || postFault !== null ? known({ bulk, signed }) : undefined,
      ),
    ),
  ladder: [
    ['fail', ({ bulk, signed }) => bulk && !signed],
    ['info', ({ signed }) => !signed],
  ],
  detail: (_, facts) => `${coverage(facts)}.`,
  fixes: (_, facts) => {
    const one = signatureToFix(facts);
    if (!one) return ['unsigned'];
    return [...(passes(one) ? [] : ['failing']), ...(coversBoth(one) ? [] : ['add'])];
  },
  cause: (_, facts) => {
    const one = signatureToFix(facts);
    if (one && passes(one)) return 'one_click_signed';
    // Of a service's own signature nothing is to be put right: the sender's is missing.
    return one?.ofFromDomain ? signatureCause(one) : unsignedCause(facts);
  },
  others: (_, facts) => {
    const one = signatureToFix(facts);
    return one && !passes(one) ? dkimOthers(one, facts) : undefined;
  },
  steps: (_, facts, name) => {
    const one = signatureToFix(facts);
    if (name === 'failing') return one && signatureSteps(one);
    if (one) return [signStep(uncovered(one))];
    return [
      ...signingSteps(signingDomain(facts), facts),
      signStep(['list-unsubscribe', 'list-unsubscribe-post']),
    ];
  },
  values: (_, facts) => {
    const one = signatureToFix(facts);
    if (!one) return {};
    const { domain, selector, result, reason } = one.report;
    return {
      d: domain,
      selector,
      result: formatId(reason ?? result),
      missing_headers: formatList(uncovered(one)),
    };
  },
});

export const bodyUnsubscribe = defineCheck({
  id: 'body_unsubscribe',
  subject: ({ headers, content }) =>
    thenLookup(headers, ({ bulk }) =>
      mapLookup(content, (value) => ({
        bulk: bulk.isBulk,
        found: value.content.unsubscribe_link_found,
      })),
    ),
  ladder: [
    ['warn', ({ bulk, found }) => bulk && !found],
    ['info', ({ found }) => !found],
  ],
  detail: ({ found }) => `An unsubscribe link was ${found ? '' : 'not '}found.`,
});
