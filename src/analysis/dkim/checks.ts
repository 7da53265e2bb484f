import type { DkimReason } from '../../domain/report/authentication.ts';
import { serverStep } from '../advice/actions.ts';
import { publicFrom, signingDomain } from '../advice/fill.ts';
import { passedBefore, whoseServer } from '../advice/whose-server.ts';
import type { DkimFact, DkimFacts } from '../authentication-facts.ts';
import { defineCheck } from '../define-check.ts';
import type { Facts } from '../facts.ts';
import { formatCount } from '../format.ts';
import { known, type LookupResult, thenLookup, unknown } from '../lookup-result.ts';
import { isFreemail } from '../names/freemail.ts';
import {
  dkimOthers,
  isStrictFault,
  lastStep,
  signatureCause,
  signatureSteps,
  signingSteps,
  unsignedCause,
} from './fixes.ts';
import { bestSignature, formatSignature, isUndecided, passes, whyUndecided } from './results.ts';

/** Shortest life of a signature that survives deferred delivery, in seconds. */
const MIN_LIFETIME_SECONDS = 3600;

/** The signature that a ladder judges; unknown when an input limit kept it from being read. */
export const bestOf = ({ dkim }: Facts): LookupResult<DkimFact> | undefined =>
  thenLookup<DkimFacts, DkimFact>(dkim, (value) => {
    const best = bestSignature(value);
    if (!best) return undefined;
    return best.report.reason === 'not_evaluated' ? unknown(whyUndecided(best)) : known(best);
  });

/** The judged signature's domain and selector, for fixes. */
export const signer = ({ report }: DkimFact) => ({ d: report.domain, selector: report.selector });

/** What makes a signature fail is one thing to put right, whichever finding says it. */
export const causeIf = (one: DkimFact, reason: DkimReason, own: string): string =>
  one.report.reason === reason ? signatureCause(one) : own;

/** What the fixes of a judged signature share. */
const shared = {
  values: signer,
  others: dkimOthers,
};

export const dkimPresent = defineCheck({
  id: 'dkim_present',
  subject: ({ dkim }) => dkim,
  ladder: [['fail', ({ total }) => total === 0]],
  detail: ({ total }) => `${formatCount(total, 'DKIM-Signature header')}.`,
  steps: (_, facts) => {
    const from = publicFrom(facts);
    return from === null ? undefined : signingSteps(signingDomain(facts), facts);
  },
  others: (_, facts) => {
    const domain = signingDomain(facts);
    return isFreemail(domain)
      ? {
          owner: 'platform',
          why: `${domain} is a freemail provider's domain, and only the provider can sign for it.`,
          ask: 'Send from an address at a domain you own.',
        }
      : undefined;
  },
  cause: (_, facts) => unsignedCause(facts),
});

/** Failures that are certain: a key whose lookup did not answer is not one. */
const failed = ({ signatures }: DkimFacts): readonly DkimFact[] =>
  signatures.filter((one) => !passes(one) && !isUndecided(one));

/** The failure to fix first: one of the sender's own. */
const worstOf = (dkim: DkimFacts): DkimFact | undefined =>
  failed(dkim).find(({ ofFromDomain }) => ofFromDomain) ?? failed(dkim)[0];

export const dkimValid = defineCheck({
  id: 'dkim_valid',
  subject: ({ dkim }) =>
    thenLookup<DkimFacts, DkimFacts>(dkim, (value) => {
      const open = value.signatures.filter(isUndecided);
      const passing = value.signatures.filter(passes);
      const isOwn = ({ ofFromDomain }: DkimFact) => ofFromDomain;
      // That of another domain does not make up for one of the sender's own, which may fail.
      const decisive =
        passing.length === 0 ? open[0] : passing.some(isOwn) ? undefined : open.find(isOwn);
      return decisive ? unknown(whyUndecided(decisive)) : known(value);
    }),
  ladder: [
    [
      'fail',
      ({ signatures }, facts) => !signatures.some((one) => passes(one) || passedBefore(one, facts)),
    ],
    [
      'warn',
      (dkim, facts) => failed(dkim).some((one) => one.ofFromDomain && !passedBefore(one, facts)),
    ],
    ['info', (dkim) => failed(dkim).length > 0],
  ],
  detail: ({ signatures }, facts) => {
    const before = signatures
      .filter((one) => passedBefore(one, facts))
      .map(
        ({ report }) =>
          ` ${report.domain} passed before ${whoseServer(facts).name} changed the mail, as verified ARC seals say.`,
      );
    const elsewhere = signatures.flatMap(({ elsewhere: at }) => at?.name ?? []);
    const found = elsewhere.map((name) => ` A key is at ${name}.`);
    return `${signatures.map(formatSignature).join('; ')}.${found.join('')}${before.join('')}`;
  },
  // The reasons of a report are the catalogue's cases.
  fixes: (dkim) => {
    const worst = worstOf(dkim);
    if (worst?.elsewhere) return ['misplaced'];
    return [worst && isStrictFault(worst) ? 'strict' : (worst?.report.reason ?? '')];
  },
  values: (dkim) => {
    const worst = worstOf(dkim);
    return worst ? { ...signer(worst), elsewhere: worst.elsewhere?.name ?? '' } : {};
  },
  steps: (dkim) => {
    const worst = worstOf(dkim);
    return worst && signatureSteps(worst);
  },
  others: (dkim, facts) => {
    const worst = worstOf(dkim);
    return worst && dkimOthers(worst, facts);
  },
  cause: (dkim, facts) => {
    const worst = worstOf(dkim);
    if (!worst) return 'dkim_valid';
    return worst.ofFromDomain ? signatureCause(worst) : unsignedCause(facts);
  },
});

export const dkimExpired = defineCheck({
  id: 'dkim_expired',
  subject: bestOf,
  ladder: [
    ['fail', ({ expired, fromFuture }) => expired || fromFuture],
    [
      'warn',
      ({ lifetimeSeconds }) => lifetimeSeconds !== null && lifetimeSeconds < MIN_LIFETIME_SECONDS,
    ],
  ],
  detail: ({ expired, fromFuture, lifetimeSeconds, report }, { receivedAt }) =>
    expired
      ? `The signature expired at ${report.expires ?? 'x='}; the mail arrived at ${receivedAt}.`
      : fromFuture
        ? `The signature was made at ${report.timestamp ?? 't='}; the mail arrived at ${receivedAt}.`
        : lifetimeSeconds === null
          ? `The signature ${report.expires ? `expires at ${report.expires}` : 'does not expire'}.`
          : `The signature is valid for ${lifetimeSeconds} seconds; at least ${MIN_LIFETIME_SECONDS} are needed.`,
  ...shared,
  fixes: ({ expired, fromFuture }) => (fromFuture && !expired ? ['future'] : []),
  cause: (one) => causeIf(one, 'expired', 'dkim_expired'),
  steps: ({ expired, fromFuture }) => [
    serverStep(fromFuture && !expired ? 'dkim.t' : 'dkim.x', null),
  ],
  values: (one, { receivedAt }) => ({
    ...signer(one),
    n: Math.round((Date.parse(one.report.timestamp ?? receivedAt) - Date.parse(receivedAt)) / 1000),
  }),
});

export const dkimLengthTag = defineCheck({
  id: 'dkim_length_tag',
  subject: bestOf,
  ladder: [
    ['fail', ({ report }) => !!report.length_limited && (report.unsigned_tail_bytes ?? 0) > 0],
    ['warn', ({ report }) => !!report.length_limited],
  ],
  detail: ({ report }) =>
    report.length_limited
      ? `l= is set; ${report.unsigned_tail_bytes ?? 0} bytes of the body are not signed.`
      : 'The whole body is signed.',
  ...shared,
  steps: ({ report }) => [
    ...((report.unsigned_tail_bytes ?? 0) > 0 ? [lastStep] : []),
    serverStep('dkim.l', null),
  ],
});

const signsFrom = ({ report }: DkimFact): boolean =>
  report.signed_headers?.some((name) => name.toLowerCase() === 'from') ?? false;

/** Left out when the signature is too broken to have a list of headers. */
export const dkimHeadersSigned = defineCheck({
  id: 'dkim_headers_signed',
  subject: (facts) => {
    const best = bestOf(facts);
    return best?.status === 'known' && !best.value.report.signed_headers ? undefined : best;
  },
  ladder: [
    ['fail', (best) => !signsFrom(best)],
    ['warn', ({ unsignedHeaders }) => unsignedHeaders.length > 0],
    ['info', ({ report }) => report.from_oversigned === false],
  ],
  detail: (best) => {
    const missing = missingFrom(best);
    return missing === '' ? 'All covered.' : `Not in h=: ${missing}.`;
  },
  ...shared,
  cause: (best) => causeIf(best, 'malformed', 'dkim_headers_signed'),
  steps: (best) => [
    ...(best.unsignedHeaders.length > 0 ? [lastStep] : []),
    { ...serverStep('dkim.h', headersToSign(best).join(', ')), operation: 'add' },
  ],
});

/** RFC 6376 §8.15: From once more than there are, so that none can be added. */
const headersToSign = (best: DkimFact): readonly string[] => {
  const missing = [...(signsFrom(best) ? [] : ['From', 'From']), ...best.unsignedHeaders];
  return missing.length > 0 || best.report.from_oversigned !== false ? missing : ['From'];
};

const missingFrom = (best: DkimFact): string => {
  const headers = headersToSign(best);
  const isSecond = headers.length === 1 && signsFrom(best) && headers[0] === 'From';
  return isSecond ? 'From (a second time)' : [...new Set(headers)].join(', ');
};

export const dkimCanonicalization = defineCheck({
  id: 'dkim_canonicalization',
  subject: (facts) => {
    const best = bestOf(facts);
    return best?.status === 'known' && !best.value.report.canonicalization ? undefined : best;
  },
  ladder: [['info', ({ report }) => !!report.canonicalization?.startsWith('simple')]],
  detail: ({ report }) => `c=${report.canonicalization}.`,
  ...shared,
  steps: () => [serverStep('dkim.c', 'relaxed/relaxed')],
});
