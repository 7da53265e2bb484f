/** The checks of the number of links, of links to the sender's own domain, and of malformed links. */

import { goesToMany } from '../advice/audience.ts';
import { publicFrom } from '../advice/fill.ts';
import { check } from '../check.ts';
import { formatCount, formatCountUpTo, formatFound, formatId, formatList } from '../format.ts';
import { ifKnown } from '../lookup-result.ts';
import { withLinks } from './target-checks.ts';

/**
 * With more links than this, an email looks like spam. The limits come from practice, not from a standard.
 */
const MANY_LINKS = 50;

const MANY_DOMAINS = 10;

export const linkCount = check({
  id: 'link_count',
  family: 'links',
  title: 'Number of links',
  source: 'practice',
  about: {
    what: 'This check counts the links in an email and the different domains they lead to.',
    why: 'A large number of links looks like spam or a hacked template.',
    how: ['Keep only the links that readers need.'],
    bad: '140 links to 25 domains',
    good: '12 links to 2 domains',
  },
  subject: withLinks,
  states: ({ warn, pass }) => ({
    many: warn(2).when(
      `> ${MANY_LINKS} links or > ${MANY_DOMAINS} different organizational domains`,
      ({ report, organizationalDomains }) =>
        report.total > MANY_LINKS || organizationalDomains > MANY_DOMAINS,
    ),
    few: pass('ok'),
  }),
  detail: ({ report, organizationalDomains, truncated }) =>
    `${formatCountUpTo(report.total, 'link', truncated)} to ${formatCountUpTo(organizationalDomains, 'domain', truncated)}; the limits are ${MANY_LINKS} and ${MANY_DOMAINS}.`,
  evidence: ({ report, organizationalDomains, truncated }) => ({
    links: report.total,
    link_limit: MANY_LINKS,
    domains: organizationalDomains,
    domain_limit: MANY_DOMAINS,
    truncated,
  }),
  fix: {
    why: 'A large number of links looks like spam.',
    do: `Keep only what readers need: at most ${MANY_LINKS} links to at most ${MANY_DOMAINS} domains.`,
  },
});

/** Does not apply if the sender has no domain of its own with which links could be compared. */
export const linkOffdomain = check({
  id: 'link_offdomain',
  family: 'links',
  title: 'Link domains of the sender',
  source: 'practice',
  about: {
    what: 'At least one link should lead to the domain that the email comes from.',
    why: 'An email in your name whose links all lead elsewhere looks like phishing.',
    how: [
      'Link to pages on your own domain.',
      'Have your platform track clicks under one of your own domains, using a CNAME.',
    ],
    bad: 'From: shop@example.com   links only to track.tool.example',
    good: 'From: shop@example.com   links to www.example.com',
  },
  subject: (facts) =>
    publicFrom(facts) === null || ifKnown(facts.headers)?.from.freemail
      ? undefined
      : withLinks(facts),
  states: ({ suggest, info, pass }) => ({
    none_own: suggest.when(
      'mail to many with no link under the From organizational domain',
      ({ underFromDomain }, facts) => !underFromDomain && goesToMany(facts),
    ),
    none_needed: info.when(
      'the same in other mail, such as an invitation',
      ({ underFromDomain }) => !underFromDomain,
    ),
    some_own: pass('ok'),
  }),
  detail: (
    { underFromDomain, report, truncated },
    { names: { fromOrganizationalDomain, fromDomain } },
  ) => {
    const own = fromOrganizationalDomain ?? fromDomain;
    if (underFromDomain) return `At least one link leads to ${own}.`;
    const hosts = report.domains.filter(({ roles }) => roles.some((role) => role !== 'image'));
    const some = truncated ? `None of the first ${report.total} links` : 'No link';
    return `${some} leads to ${own}; the links lead to ${hosts.map(({ host }) => host).join(', ') || 'no web page'}.`;
  },
  evidence: ({ underFromDomain, report }, { names: { fromOrganizationalDomain, fromDomain } }) => ({
    own_domain: fromOrganizationalDomain ?? fromDomain,
    under_own_domain: underFromDomain,
    hosts: report.domains.map(({ host }) => host),
  }),
  fix: {
    why: 'No link leads to your own domain.',
    do: 'Link to pages under {from_org_domain}. If your platform counts clicks, have it use one of your own names: publish a CNAME at click.{from_org_domain} that points to the host your platform shows under “branded links”.',
  },
});

/** Describes links by the fault in their form, as worded in a fix. */
const SHAPES: Readonly<Record<string, (n: number) => string>> = {
  empty: (n) => `${formatCount(n, 'link')} without a target`,
  relative: (n) => `${formatCount(n, 'link')} without https:// and a host`,
  unparsable: (n) => `${formatCount(n, 'link')} that cannot be read as a URL`,
  file: (n) => `${formatCount(n, 'link')} to files on your own machine`,
  localhost: (n) => `${formatCount(n, 'link')} to localhost`,
  private_host: (n) => `${formatCount(n, 'link')} to hosts in a private network`,
  zero_width: (n) => `${formatCount(n, 'link')} with invisible characters in the host`,
};

export const linkMalformed = check({
  id: 'link_malformed',
  family: 'links',
  title: 'Link syntax',
  source: 'judged by syntax only: links are never opened; rspamd ZERO_WIDTH_SPACE_URL',
  about: {
    what: 'Some links lead nowhere: they are empty, unfinished, or contain spaces.',
    why: 'Readers click and nothing happens. Filters see a broken template.',
    how: ['Click every link in a test email before you send it to others.'],
    bad: '<a href="http://">Shop</a>',
    good: '<a href="https://example.com/shop">Shop</a>',
  },
  subject: withLinks,
  states: ({ warn, pass }) => ({
    malformed: warn(4).when(
      'empty href, URL without a scheme, unparsable URL, file:, localhost or private host, zero-width characters in the host',
      ({ malformed }) => malformed.length > 0,
    ),
    well_formed: pass('ok'),
  }),
  detail: ({ malformed }) =>
    formatFound(malformed.map(({ shape, count: n }) => `${n} ${formatId(shape)}`)),
  evidence: ({ malformed }) => ({
    shapes: malformed.map(({ shape, count: n }) => `${n} ${shape}`),
  }),
  fix: { why: 'Some links lead nowhere.', do: 'Correct {shapes}.' },
  values: ({ malformed }) => ({
    shapes: formatList(
      malformed.map(({ shape, count: n }) => SHAPES[shape]?.(n) ?? `${n} ${formatId(shape)}`),
    ),
  }),
});
