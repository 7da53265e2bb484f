import { serverStep } from '../advice/actions.ts';
import { check } from '../check.ts';
import { bestOf, causeIf, dkimFixes, signer } from './checks.ts';
import { lastStep } from './fixes.ts';

/** Shortest life of a signature that survives deferred delivery, in seconds. */
const MIN_LIFETIME_SECONDS = 3600;

/** Clocks that NTP keeps differ by less than this. */
export const MAX_FUTURE_SECONDS = 300;

export const dkimExpired = check({
  id: 'dkim_expired',
  family: 'dkim',
  gate: 'dkim_present',
  title: 'DKIM signature lifetime',
  source: 'RFC 6376 §3.5',
  about: {
    what: 'A signature can say until when it holds (x=).',
    why: 'Mail that waits in a queue or is forwarded arrives later than you think. After the time in x= the signature does not count.',
    how: ['Leave x= out, or set it to a week or more after signing.'],
    bad: 't=1763800000; x=1763800300   (five minutes)',
    good: 't=1763800000; x=1764404800   (one week)',
  },
  subject: bestOf,
  states: ({ fail, warn, pass }) => ({
    expired: fail(10).when(
      `x= in the past at receipt, or t= in the future > ${MAX_FUTURE_SECONDS / 60} min`,
      ({ expired, fromFuture }) => expired || fromFuture,
    ),
    short_lived: warn(1).when(
      `x= - t= under ${MIN_LIFETIME_SECONDS / 3600} hour (deferred mail will fail)`,
      ({ lifetimeSeconds }) => lifetimeSeconds !== null && lifetimeSeconds < MIN_LIFETIME_SECONDS,
    ),
    in_time: pass('not expired'),
  }),
  detail: ({ expired, fromFuture, lifetimeSeconds, report }, { receivedAt }) =>
    expired
      ? `The signature expired at ${report.expires ?? 'x='}; the mail arrived at ${receivedAt}.`
      : fromFuture
        ? `The signature was made at ${report.timestamp ?? 't='}; the mail arrived at ${receivedAt}.`
        : lifetimeSeconds === null
          ? `The signature ${report.expires ? `expires at ${report.expires}` : 'does not expire'}.`
          : `The signature is valid for ${lifetimeSeconds} seconds; at least ${MIN_LIFETIME_SECONDS} are needed.`,
  evidence: ({ expired, fromFuture, lifetimeSeconds, report }) => ({
    expired,
    from_future: fromFuture,
    lifetime_seconds: lifetimeSeconds,
    required_seconds: MIN_LIFETIME_SECONDS,
    timestamp: report.timestamp ?? null,
    expires: report.expires ?? null,
  }),
  fixes: {
    fix: { why: 'The signature of {d} expires too soon for mail that is delivered late.' },
    future: { why: 'The signature says it was made {n} seconds after the mail arrived.' },
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
    what: 'With l= a signature covers only the beginning of the mail.',
    why: 'Anyone can add text, links or a whole new page below it, and the mail still counts as yours.',
    how: [
      'Turn the option off in your mail system. In OpenDKIM it is BodyLengthDB, in others “sign only a part of the body”.',
    ],
    bad: 'DKIM-Signature: …; l=1024; …',
    good: 'DKIM-Signature: …   (without l=)',
  },
  subject: bestOf,
  states: ({ fail, warn, pass }) => ({
    unsigned_tail: fail(6).when(
      'l= and body longer than l= (unsigned tail)',
      ({ report }) => !!report.length_limited && (report.unsigned_tail_bytes ?? 0) > 0,
    ),
    used: warn(4).when('l= present', ({ report }) => !!report.length_limited),
    unused: pass('no l='),
  }),
  detail: ({ report }) =>
    report.length_limited
      ? `l= is set; ${report.unsigned_tail_bytes ?? 0} bytes of the body are not signed.`
      : 'The whole body is signed.',
  evidence: ({ report }) => ({
    length_limited: !!report.length_limited,
    unsigned_tail_bytes: report.unsigned_tail_bytes ?? 0,
  }),
  fixes: {
    fix: {
      why: 'The signature of {d} covers only the beginning of the body (l=), so anyone can add to it.',
    },
  },
  ...dkimFixes,
  steps: ({ report }) => [
    ...((report.unsigned_tail_bytes ?? 0) > 0 ? [lastStep] : []),
    serverStep('dkim.l', null),
  ],
});
