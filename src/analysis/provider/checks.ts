/** The checks of the spam score and the authentication results that an inbound provider gave an email. */

import { check } from '../check.ts';
import { known } from '../lookup-result.ts';

/** Applies only if an inbound provider received the email. */
export const inboundProviderSpam = check({
  id: 'inbound_provider_spam',
  family: 'inbound',
  title: "Inbound provider's spam score",
  source: 'X-CF-SpamH-Score (scale not published)',
  about: {
    what: 'The mail provider in front of this service gives each email a spam score.',
    why: 'The provider does not publish how it computes the score, so treat the number as a rough indication.',
    how: ['Fix the other findings first, then test again.'],
    bad: 'spam score 8',
    good: 'spam score 0',
  },
  subject: ({ provider }) => (provider ? known(provider) : undefined),
  states: ({ info, pass }) => ({
    scored: info.when(
      'the provider gave a score on a scale that it does not publish',
      ({ spam_score }) => spam_score !== null,
    ),
    no_score: pass('the provider gave no score'),
  }),
  detail: ({ spam_score }) =>
    spam_score === null
      ? 'The provider gave no score.'
      : `Score ${spam_score}; the provider does not publish its scale.`,
  evidence: ({ spam_score }) => ({ score: spam_score }),
  fix: {
    why: 'The provider in front of this service does not say what its spam score is based on.',
    do: 'Fix the other findings first, then test again.',
  },
});

/**
 * A difference between the provider's results and ours is never a fault, because the DNS may have changed
 * between the two lookups.
 */
export const inboundVerdictMismatch = check({
  id: 'inbound_verdict_mismatch',
  family: 'inbound',
  title: 'Verdicts of this test and of the inbound provider',
  source: 'RFC 8601',
  about: {
    what: 'The provider in front of this service checks the email too. Its results should be the same as those of this test.',
    why: 'If they differ, usually a DNS record changed between the two checks, or one of them got no answer.',
    how: ['Test again. Investigate only if it happens again.'],
    bad: 'here: dkim=pass   there: dkim=temperror',
    good: 'here: dkim=pass   there: dkim=pass',
  },
  subject: ({ provider }) => (provider ? known(provider) : undefined),
  states: ({ info, pass }) => ({
    differs: info.when(
      "our SPF, DKIM or DMARC verdict differs from the provider's, or the provider added none",
      ({ differs_from_ours, source }) => differs_from_ours.length > 0 || source === 'none',
    ),
    same: pass('same'),
  }),
  detail: ({ differs_from_ours, source }) =>
    source === 'none'
      ? 'The provider added no verdict to the email.'
      : differs_from_ours.length > 0
        ? `Different: ${differs_from_ours.join(', ')}.`
        : 'The results are the same.',
  evidence: ({ differs_from_ours, source }) => ({ source, different: differs_from_ours }),
  fix: {
    why: 'DNS may have changed between the two checks.',
    do: 'There is nothing to do unless it happens again.',
  },
});
