/**
 * Summarises the links of an email for its classification: how many there are, where they lead, and whether
 * they are tagged for a campaign.
 */

import type { LinkFacts } from '../links/facts.ts';
import type { BodyLink } from '../links/href.ts';
import { isUnder, organizationalDomain } from '../names/domain-names.ts';
import type { BodyShape } from './body-signs.ts';
import { CAMPAIGN_PLATFORMS } from './header-signs.ts';

/** Matches the URL parameters that tell analytics and mailing tools which campaign a visitor came from. */
const CAMPAIGN_TAG = /[?&](?:utm_(?:campaign|medium)|mc_[ce]id|_kx|vero_id|_hsenc|mkt_tok|dm_i)=/i;

/** Social networks on which companies and clubs have profiles. */
const NETWORKS: ReadonlySet<string> = new Set([
  'bsky.app',
  'facebook.com',
  'instagram.com',
  'linkedin.com',
  'pinterest.com',
  'threads.net',
  'tiktok.com',
  'twitter.com',
  'x.com',
  'xing.com',
  'youtube.com',
]);

/** Maximum number of characters of a link that are searched for tracking tags. */
const MAX_HREF = 2000;

/** Returns the facts about links that help to classify an email. Unsubscribe links do not count. */
export function readLinkShape(
  all: readonly BodyLink[],
  { report: { domains } }: LinkFacts,
): Pick<BodyShape, 'links' | 'hasCampaignTags' | 'hasCampaignHost' | 'networks' | 'linksToSender'> {
  const links = all.filter(({ role }) => role === 'link');
  const clicked = domains.filter(({ roles }) => roles.includes('link'));
  const networks = clicked
    .map(({ host }) => organizationalDomain(host))
    .filter((domain) => NETWORKS.has(domain));
  return {
    links: links.length,
    hasCampaignTags: links.some(({ href }) => CAMPAIGN_TAG.test(href.slice(0, MAX_HREF))),
    hasCampaignHost: clicked.some(({ host }) =>
      CAMPAIGN_PLATFORMS.some((one) => isUnder(host, one)),
    ),
    networks: new Set(networks).size,
    linksToSender: clicked.some(({ aligned_with_from }) => aligned_with_from),
  };
}
