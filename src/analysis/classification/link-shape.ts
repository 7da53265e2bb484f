/**
 * Summarizes the links of an email for its classification: how many there are, where they lead, and whether
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

/** Maximum number of characters of a link that are examined. */
const MAX_HREF = 2000;

/** Matches a URL that leads to a page other than the home page of a website, and captures its host. */
const PAGE = /^\s*https?:\/\/([^/?#\s]+)\/[^?#\s]/i;

/** Returns whether a link leads to a web page that is neither a home page nor a profile on a network. */
function isPage(href: string): boolean {
  const host = PAGE.exec(href)?.[1]?.toLowerCase();
  return host !== undefined && !NETWORKS.has(organizationalDomain(host));
}

/** Returns the facts about links that help to classify an email. Unsubscribe links do not count. */
export function readLinkShape(
  all: readonly BodyLink[],
  { report: { domains } }: LinkFacts,
): Pick<
  BodyShape,
  | 'links'
  | 'pages'
  | 'taggedLinks'
  | 'taggedPages'
  | 'hasCampaignHost'
  | 'networks'
  | 'linksToSender'
> {
  const links = all
    .filter(({ role }) => role === 'link')
    .map(({ href }) => href.slice(0, MAX_HREF));
  const pages = [...new Set(links)].filter(isPage);
  const clicked = domains.filter(({ roles }) => roles.includes('link'));
  const networks = clicked
    .map(({ host }) => organizationalDomain(host))
    .filter((domain) => NETWORKS.has(domain));
  return {
    links: links.length,
    pages: pages.length,
    taggedLinks: links.filter((href) => CAMPAIGN_TAG.test(href)).length,
    taggedPages: pages.filter((href) => CAMPAIGN_TAG.test(href)).length,
    hasCampaignHost: clicked.some(({ host }) =>
      CAMPAIGN_PLATFORMS.some((one) => isUnder(host, one)),
    ),
    networks: new Set(networks).size,
    linksToSender: clicked.some(({ aligned_with_from }) => aligned_with_from),
  };
}
