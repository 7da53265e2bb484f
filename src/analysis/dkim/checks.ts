import type { DkimReason } from '../../domain/report/authentication.ts';
import { publicFrom, signingDomain } from '../advice/fill.ts';
import { check } from '../check.ts';
import type { Facts } from '../facts.ts';
import { formatCount } from '../format.ts';
import { known, type LookupResult, thenLookup, unknown } from '../lookup-result.ts';
import { isFreemail } from '../names/freemail.ts';
import type { DkimFact, DkimFacts } from './facts.ts';
import { dkimOthers, signatureCause, signingSteps, unsignedCause } from './fixes.ts';
import { bestSignature, whyUndecided } from './results.ts';

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
export const dkimFixes = {
  values: signer,
  others: dkimOthers,
};

export const dkimPresent = check({
  id: 'dkim_present',
  family: 'dkim',
  title: 'DKIM signature',
  source: 'RFC 6376; Gmail & Yahoo bulk, Microsoft high-volume',
  about: {
    what: 'DKIM signs each mail with a key that only you have. Receivers check the signature with the public key in your DNS.',
    why: 'A signature shows that the mail is yours and unchanged, also after it was forwarded. Gmail and Yahoo require it of bulk senders.',
    how: [
      'Turn DKIM on where the mail is sent from.',
      'Publish the record that it shows you in your DNS.',
      'Send a test again: the signature must name your own domain.',
    ],
    bad: '(no DKIM-Signature header)',
    good: 'DKIM-Signature: v=1; a=rsa-sha256; d=example.com; s=s2026; …',
    platforms: 'dkim',
  },
  subject: ({ dkim }) => dkim,
  states: ({ fail, pass }) => ({
    absent: fail(22, 74).when(
      'no DKIM-Signature header (provider mode: none outside the provider block)',
      ({ total }) => total === 0,
    ),
    present: pass('at least one signature'),
  }),
  detail: ({ total }) => `${formatCount(total, 'DKIM-Signature header')}.`,
  evidence: ({ total }) => ({ signatures: total }),
  fixes: {
    fix: {
      why: 'This mail has no DKIM signature, so receivers cannot tell whether it is yours and unchanged.',
      do: 'Turn on DKIM signing in your mail system.',
    },
  },
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
