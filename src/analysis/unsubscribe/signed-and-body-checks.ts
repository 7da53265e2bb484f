/** The checks of whether DKIM covers the unsubscribe fields, and of an unsubscribe link in the body. */

import { signingDomain } from '../advice/fill.ts';
import { check } from '../check.ts';
import { whichHold } from '../definition.ts';
import {
  dkimOthers,
  signatureCause,
  signatureSteps,
  signingSteps,
  unsignedCause,
} from '../dkim/fixes.ts';
import { passes } from '../dkim/results.ts';
import type { Facts } from '../facts.ts';
import { formatId, formatList } from '../format.ts';
import { mapLookup, thenLookup } from '../lookup-result.ts';
import {
  coversBoth,
  coversOneClick,
  signatureToFix,
  signStep,
  uncovered,
  withBulk,
} from './list-unsubscribe-checks.ts';

/** Returns a text that says which of the two unsubscribe fields each signature covers. */
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

export const oneClickSigned = check({
  id: 'one_click_signed',
  family: 'unsubscribe',
  // While the pair of fields is incomplete, signing it is useless and must not cost additional points.
  gate: 'one_click',
  title: 'DKIM signature of the one-click headers',
  source: 'RFC 8058 §4',
  about: {
    what: 'The two unsubscribe headers must be covered by the DKIM signature.',
    why: 'Otherwise somebody could change the link in transit, so mail programs show no button.',
    how: ['Add list-unsubscribe and list-unsubscribe-post to the signed headers (h=).'],
    bad: 'h=from:to:subject',
    good: 'h=from:to:subject:list-unsubscribe:list-unsubscribe-post',
  },
  subject: (facts) =>
    thenLookup(withBulk(facts), ({ bulk, mayBe }) =>
      mapLookup(coversOneClick(facts), (signed) => ({ bulk, mayBe, signed })),
    ),
  states: ({ fail, suggest, info, pass }) => ({
    unsigned: fail(8).when(
      'bulk: List-Unsubscribe or List-Unsubscribe-Post, both present, but not in h= of a passing signature (mail programs ignore them)',
      ({ bulk, signed }) => bulk && !signed,
    ),
    unsigned_perhaps_bulk: suggest.when(
      'perhaps bulk, and not signed',
      ({ mayBe, signed }) => mayBe && !signed,
    ),
    unsigned_not_bulk: info.when('not bulk, and not signed', ({ signed }) => !signed),
    signed: pass('both signed'),
  }),
  detail: (_, facts) => `${coverage(facts)}.`,
  evidence: ({ bulk, signed }, facts) => ({ bulk, signed, coverage: coverage(facts) }),
  fix: 'Gmail and Yahoo accept one-click unsubscribe only if DKIM signs both of its headers.',
  fixes: {
    add: 'The signature of {d} (selector {selector}) does not cover {missing_headers}. Gmail and Yahoo accept one-click unsubscribe only if DKIM signs both of its headers.',
    unsigned:
      'Gmail and Yahoo accept one-click unsubscribe only if DKIM signs both of its headers.',
    failing: {
      why: 'Gmail and Yahoo accept one-click unsubscribe only with a valid DKIM signature, and the signature of {d} (selector {selector}) is not valid ({result}).',
      do: 'Fix the signature of {d} first.',
    },
  },
  cases: (_, facts) => {
    const one = signatureToFix(facts);
    if (!one) return ['unsigned'];
    return whichHold({ failing: !passes(one), add: !coversBoth(one) });
  },
  cause: (_, facts) => {
    const one = signatureToFix(facts);
    if (one && passes(one)) return 'one_click_signed';
    // A service's own signature needs no fix, because the sender's signature is what is missing.
    return one?.ofFromDomain ? signatureCause(one) : unsignedCause(facts);
  },
  others: (_, facts) => {
    const one = signatureToFix(facts);
    return one && !passes(one) ? dkimOthers(one, facts) : undefined;
  },
  steps: (_, facts, name) => {
    const one = signatureToFix(facts);
    if (name === 'failing') return one && signatureSteps(one, facts);
    if (one) return [signStep(uncovered(one))];
    return [
      ...signingSteps(signingDomain(facts), facts),
      signStep(['list-unsubscribe', 'list-unsubscribe-post']),
    ];
  },
  values: (_, facts) => {
    const one = signatureToFix(facts);
    const { domain: d = '', selector = '', result = '', reason } = one?.report ?? {};
    return {
      d,
      selector,
      result: formatId(reason ?? result),
      missing_headers: one ? formatList(uncovered(one)) : '',
    };
  },
});

export const bodyUnsubscribe = check({
  id: 'body_unsubscribe',
  family: 'way_out',
  title: 'Unsubscribe link in the body',
  source: 'Gmail and Yahoo bulk rules; CAN-SPAM',
  about: {
    what: 'The text of the email can contain a visible link to unsubscribe.',
    why: 'Gmail requires it in marketing mail, and so do many laws.',
    how: ['At the end of the email, add a line with a link that unsubscribes the reader.'],
    bad: '(no link)',
    good: '<a href="https://example.com/u/8f3k2">Unsubscribe</a>',
  },
  subject: ({ headers, content }) =>
    thenLookup(headers, ({ bulk }) =>
      mapLookup(content, (value) => ({
        bulk: bulk.isBulk,
        mayBe: bulk.mayBe,
        found: value.content.unsubscribe_link_found,
      })),
    ),
  // Gmail's rules require this link in the same sentence as the List-Unsubscribe field.
  states: ({ warn, suggest, info, pass }) => ({
    absent: warn(11).when(
      'bulk, and no unsubscribe link found in the body (word list, many languages)',
      ({ bulk, found }) => bulk && !found,
    ),
    perhaps_needed: suggest.when(
      'perhaps bulk, and none found',
      ({ mayBe, found }) => mayBe && !found,
    ),
    not_needed: info.when('not bulk', ({ found }) => !found),
    present: pass('found'),
  }),
  detail: ({ found }) => `${found ? 'An' : 'No'} unsubscribe link was found.`,
  evidence: ({ bulk, found }) => ({ bulk, found }),
  fix: {
    why: 'The text of this email offers no way to unsubscribe, so readers report it as spam.',
    do: 'Add a visible unsubscribe link to the footer.',
  },
});
