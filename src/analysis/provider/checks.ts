import { defineCheck } from '../define-check.ts';
import { known } from '../lookup-result.ts';

/** Only where an inbound provider took the mail. */
export const inboundProviderSpam = defineCheck({
  id: 'inbound_provider_spam',
  subject: ({ cloudflare }) => (cloudflare ? known(cloudflare) : undefined),
  ladder: [['info', ({ spam_score }) => spam_score !== null]],
  detail: ({ spam_score }) =>
    spam_score === null
      ? 'The provider gave no score.'
      : `Score ${spam_score}; the provider does not publish its scale.`,
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
