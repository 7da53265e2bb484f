/** Defines the checks on a DKIM signature's tags: its signed fields, canonicalization, lifetime and `l=`. */

import { serverStep } from '../advice/actions.ts';
import { check } from '../check.ts';
import { bestOf, causeIf, dkimFixes, signer } from './checks.ts';
import type { DkimFact } from './facts.ts';
import { lastStep } from './fixes.ts';

const signsFrom = ({ report }: DkimFact): boolean =>
  report.signed_headers?.some((name) => name.toLowerCase() === 'from') ?? false;

/**
 * Checks which header fields are signed. The check does not apply if the signature is too broken to contain a
 * list of them.
 */
export const dkimHeadersSigned = check({
  id: 'dkim_headers_signed',
  family: 'dkim',
  gate: 'dkim_present',
  title: 'Headers covered by DKIM',
  source: 'RFC 6376 §5.4, §5.4.1',
  about: {
    what: 'A signature lists the headers that it covers (h=). From must be among them, and subject, date, to and reply-to should be.',
    why: 'Anyone along the way can change a header that is not covered, for example the subject that your readers see.',
    how: [
      'Add the missing names to the list of signed headers in your mail system.',
      'List From twice, so that nobody can add a second From header.',
    ],
    bad: 'h=from:date',
    good: 'h=from:from:to:subject:date:message-id:reply-to:mime-version:content-type',
  },
  subject: (facts) => {
    const best = bestOf(facts);
    return best?.status === 'known' && !best.value.report.signed_headers ? undefined : best;
  },
  states: ({ fail, warn, info, pass }) => ({
    from_unsigned: fail(8).when('From not in h= (invalid)', (best) => !signsFrom(best)),
    incomplete: warn(2).when(
      'one of Subject, Date, To, Message-ID, MIME-Version, Content-Type, Reply-To is in the message but not in h=',
      ({ unsignedHeaders }) => unsignedHeaders.length > 0,
    ),
    // A missing second From in `h=` costs nothing, because few signers oversign From, and receivers refuse a
    // second From anyway.
    not_oversigned: info.when(
      'h= does not list From once more than it appears (oversigning)',
      ({ report }) => report.from_oversigned === false,
    ),
    complete: pass('all are covered'),
  }),
  detail: (best) => {
    const missing = missingFrom(best);
    return missing === '' ? 'All covered.' : `Not in h=: ${missing}.`;
  },
  evidence: (best) => ({ missing: [...new Set(headersToSign(best))] }),
  fix: 'The signature of {d} leaves out headers that readers see, so others can change or add them.',
  ...dkimFixes,
  cause: (best) => causeIf(best, 'malformed', 'dkim_headers_signed'),
  steps: (best) => [{ ...serverStep('dkim.h', headersToSign(best).join(', ')), operation: 'add' }],
});

/**
 * Returns the header fields to add to `h=`. From is listed once more often than it appears in the email, so
 * that nobody can add another From (RFC 6376 §8.15).
 */
const headersToSign = (best: DkimFact): readonly string[] => {
  const missing = [...(signsFrom(best) ? [] : ['From', 'From']), ...best.unsignedHeaders];
  return missing.length > 0 || best.report.from_oversigned !== false ? missing : ['From'];
};

const missingFrom = (best: DkimFact): string => {
  const headers = headersToSign(best);
  const isSecond = headers.length === 1 && signsFrom(best) && headers[0] === 'From';
  return isSecond ? 'From (a second time)' : [...new Set(headers)].join(', ');
};

export const dkimCanonicalization = check({
  id: 'dkim_canonicalization',
  family: 'dkim',
  gate: 'dkim_present',
  title: 'DKIM canonicalization',
  source: 'RFC 6376 §3.4',
  about: {
    what: 'Canonicalization decides how much an email may change in transit before its signature breaks. “simple” allows no changes, “relaxed” allows changes in white space.',
    why: 'Many servers rewrap lines or change spaces. With “simple” that breaks the signature.',
    how: ['Set the canonicalization of your mail system to relaxed/relaxed.'],
    bad: 'c=simple/simple',
    good: 'c=relaxed/relaxed',
  },
  subject: (facts) => {
    const best = bestOf(facts);
    return best?.status === 'known' && !best.value.report.canonicalization ? undefined : best;
  },
  states: ({ suggest, pass }) => ({
    simple: suggest.when(
      'simple header canonicalization (breaks on refolding)',
      ({ report }) => !!report.canonicalization?.startsWith('simple'),
    ),
    relaxed: pass('relaxed/*'),
  }),
  detail: ({ report }) => `c=${report.canonicalization}.`,
  evidence: ({ report }) => ({ canonicalization: report.canonicalization ?? null }),
  fix: 'The signature of {d} breaks if a server changes white space in transit.',
  ...dkimFixes,
  steps: () => [serverStep('dkim.c', 'relaxed/relaxed')],
});

/** Minimum lifetime of a signature that survives deferred delivery, in seconds. */
const MIN_LIFETIME_SECONDS = 3600;

/** Maximum difference between clocks that are set by NTP, in seconds. */
export const MAX_FUTURE_SECONDS = 300;

export const dkimExpired = check({
  id: 'dkim_expired',
  family: 'dkim',
  gate: 'dkim_present',
  title: 'DKIM signature lifetime',
  source: 'RFC 6376 §3.5',
  about: {
    what: 'A signature can state when it expires (x=).',
    why: 'Mail that waits in a queue or is forwarded arrives later than you expect. After the time in x=, the signature no longer counts.',
    how: ['Leave out x=, or set it to a week or more after signing.'],
    bad: 't=1763800000; x=1763800300   (five minutes)',
    good: 't=1763800000; x=1764404800   (one week)',
  },
  subject: bestOf,
  states: ({ fail, warn, pass }) => ({
    expired: fail(10).when(
      `x= in the past at receipt, or t= more than ${MAX_FUTURE_SECONDS / 60} min in the future`,
      ({ expired, fromFuture }) => expired || fromFuture,
    ),
    short_lived: warn(1).when(
      `x= less than ${MIN_LIFETIME_SECONDS / 3600} hour after t= (deferred mail will fail)`,
      ({ lifetimeSeconds }) => lifetimeSeconds !== null && lifetimeSeconds < MIN_LIFETIME_SECONDS,
    ),
    in_time: pass('not expired'),
  }),
  detail: ({ expired, fromFuture, lifetimeSeconds, report }, { receivedAt }) =>
    expired
      ? `The signature expired at ${report.expires ?? 'x='}; the email arrived at ${receivedAt}.`
      : fromFuture
        ? `The signature was made at ${report.timestamp ?? 't='}; the email arrived at ${receivedAt}.`
        : lifetimeSeconds === null
          ? `The signature ${report.expires ? `expires at ${report.expires}` : 'does not expire'}.`
          : `The signature is valid for ${lifetimeSeconds} seconds; it should be valid for at least ${MIN_LIFETIME_SECONDS}.`,
  evidence: ({ expired, fromFuture, lifetimeSeconds, report }) => ({
    expired,
    from_future: fromFuture,
    lifetime_seconds: lifetimeSeconds,
    required_seconds: MIN_LIFETIME_SECONDS,
    timestamp: report.timestamp ?? null,
    expires: report.expires ?? null,
  }),
  fix: 'The signature of {d} expires too soon for emails that are delivered late.',
  fixes: {
    future: 'The signature says that it was made {n} seconds after the email arrived.',
  },
  ...dkimFixes,
  cases: ({ expired, fromFuture }) => (fromFuture && !expired ? ['future'] : []),
  cause: (one) => causeIf(one, 'expired', 'dkim_expired'),
  steps: ({ expired, fromFuture }) => [
    serverStep(fromFuture && !expired ? 'dkim.t' : 'dkim.x', null),
  ],
  values: (one, { receivedAt }) => ({
    ...signer(one),
    n: Math.round((Date.parse(one.report.timestamp ?? receivedAt) - Date.parse(receivedAt)) / 1000),
  }),
});

export const dkimLengthTag = check({
  id: 'dkim_length_tag',
  family: 'dkim',
  gate: 'dkim_present',
  title: 'DKIM body length limit (l=)',
  source: 'RFC 6376 §8.2',
  about: {
    what: 'With l=, a signature covers only the beginning of the email.',
    why: 'Anyone can add text, links or a whole new page below it, and the email still counts as yours.',
    how: [
      'Turn the option off in your mail system. In OpenDKIM, it is called BodyLengthDB; elsewhere, look for “sign only part of the body”.',
    ],
    bad: 'DKIM-Signature: …; l=1024; …',
    good: 'DKIM-Signature: …   (without l=)',
  },
  subject: bestOf,
  states: ({ fail, warn, pass }) => ({
    unsigned_tail: fail(6).when(
      'the body is longer than l= (unsigned tail)',
      ({ report }) => !!report.length_limited && (report.unsigned_tail_bytes ?? 0) > 0,
    ),
    used: warn(4).when('l= present', ({ report }) => !!report.length_limited),
    unused: pass('l= is not used'),
  }),
  detail: ({ report }) =>
    report.length_limited
      ? `l= is set; ${report.unsigned_tail_bytes ?? 0} bytes of the body are not signed.`
      : 'The whole body is signed.',
  evidence: ({ report }) => ({
    length_limited: !!report.length_limited,
    unsigned_tail_bytes: report.unsigned_tail_bytes ?? 0,
  }),
  fix: 'The signature of {d} covers only the beginning of the body (l=), so anyone can add to it.',
  ...dkimFixes,
  steps: ({ report }) => [
    ...((report.unsigned_tail_bytes ?? 0) > 0 ? [lastStep] : []),
    serverStep('dkim.l', null),
  ],
});
