import { defineCheck } from '../define-check.ts';
import { known } from '../lookup-result.ts';

/** Only where an inbound provider took the mail. */
export const inboundProviderSpam = defineCheck({
  id: 'inbound_provider_spam',
  subject: ({ cloudflare, inboundSpamLevel: level = null }) =>
    cloudflare ? known({ score: cloudflare.spam_score, level }) : undefined,
  ladder: [
    ['warn', ({ score, level }) => score !== null && level !== null && score >= level],
    ['info', ({ score, level }) => score === null || level === null],
  ],
  detail: ({ score, level }) =>
    score === null
      ? 'The provider gave no score.'
      : `Score ${score}; ${level === null ? 'no level is configured' : `the level is ${level}`}.`,
});

/** A difference is a fact, never a fault: DNS may have changed between the two looks. */
export const inboundVerdictMismatch = defineCheck({
  id: 'inbound_verdict_mismatch',
  subject: ({ cloudflare }) => (cloudflare ? known(cloudflare) : undefined),
  ladder: [
    ['info', ({ differs_from_ours, source }) => differs_from_ours.length > 0 || source === 'none'],
  ],
  detail: ({ differs_from_ours, source }) =>
    source === 'none'
      ? 'The provider stamped no verdict.'
      : differs_from_ours.length > 0
        ? `Different: ${differs_from_ours.join(', ')}.`
        : 'The same.',
});
