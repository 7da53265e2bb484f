import type { Facts } from './facts.ts';
import { CATALOGUE_VERSION } from './scale.ts';
import type { Score } from './score.ts';

/**
 * How the score comes about, so that anybody can do the sum again:
 * `score: 100 - 12 rdns - 3 dmarc = 85, capped at 59 by rdns_ptr`.
 */
function arithmetic({ sum, penalties, cap }: Score): string {
  const lost = penalties.map(({ family, points }) => ` - ${points} ${family}`).join('');
  const total = penalties.length > 0 ? ` = ${sum}` : '';
  const floor = sum < 0 ? ', raised to 0' : '';
  const capped = cap && cap.value < sum ? `, capped at ${cap.value} by ${cap.by.join(', ')}` : '';
  return `score: 100${lost}${total}${floor}${capped}`;
}

function linkReputation({ webRisk, links }: Facts): string {
  if (!webRisk.configured) return 'link reputation: not checked, no service is configured';
  if (links.status === 'unknown') return 'link reputation: not checked, the links were not read';
  if (links.value.report.domains.every(({ ip_literal }) => ip_literal))
    return 'link reputation: the mail has no links to check';
  return 'link reputation: asked of a web-risk service; only host names were sent to it';
}

/** Notes of every report; `cut` names the lists and texts that were too long for it. */
export const notesOf = (facts: Facts, score: Score, cut: readonly string[] = []): string[] => [
  arithmetic(score),
  `findings catalogue: version ${CATALOGUE_VERSION}`,
  'the report measures configuration and content, not inbox placement',
  'links were not opened',
  linkReputation(facts),
  'the complaint rate cannot be measured here; mailbox providers show it in their own tools',
  'fetched over HTTPS: nothing but URLs that the sender publishes in DNS (MTA-STS policy, BIMI logo and certificate)',
  `this report will be deleted at ${facts.expiresAt}`,
  ...(cut.length > 0 ? [`cut to fit: ${cut.join(', ')}`] : []),
  ...facts.remarks,
];
