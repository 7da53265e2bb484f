/**
 * The checks of where links lead: mismatched texts, shorteners and redirectors, and domains listed as
 * dangerous.
 */

import { check } from '../check.ts';
import { whichHold } from '../definition.ts';
import type { Facts } from '../facts.ts';
import { formatCount, formatFound, formatList } from '../format.ts';
import {
  entryOf,
  ifKnown,
  keepIf,
  known,
  type LookupResult,
  thenLookup,
  unknown,
} from '../lookup-result.ts';
import { isUnder, sameOrganization } from '../names/domain-names.ts';
import type { LinkFacts } from './facts.ts';

/** Returns the link facts of an email that has links. Broken links and images count too. */
export const withLinks = ({ links }: Facts) =>
  keepIf(
    links,
    ({ report, malformed }) => report.total + report.domains.length + malformed.length > 0,
  );

/** Returns whether the text of a link shows a domain of the From organization. */
const showsSender = (
  { shown_domain }: LinkFacts['mismatches'][number],
  { names: { fromDomain, fromOrganizationalDomain } }: Facts,
): boolean =>
  fromDomain !== null &&
  (sameOrganization(shown_domain, fromDomain) ||
    isUnder(shown_domain, fromOrganizationalDomain ?? fromDomain));

export const linkTextMismatch = check({
  id: 'link_text_mismatch',
  family: 'links',
  title: 'Link text and target',
  source: 'rspamd PHISHING',
  about: {
    what: 'The text of a link can show one address while the link leads to another.',
    why: 'It is the oldest phishing trick, so filters look for it. Click tracking causes it too.',
    how: [
      'Use words as link text, not addresses.',
      'Have your platform track clicks under your own domain.',
    ],
    bad: '<a href="https://track.tool.example/c/9">www.example.com</a>',
    good: '<a href="https://click.example.com/c/9">See your order</a>',
  },
  subject: withLinks,
  states: ({ warn, suggest, pass }) => ({
    foreign: warn(8).when(
      'visible text is a domain/URL that belongs neither to the organization of the href nor to that of the From',
      ({ mismatches }, facts) => mismatches.some((one) => !showsSender(one, facts)),
    ),
    // With click tracking, a link shows the sender's domain but reaches it through another host.
    tracked: suggest.when(
      'visible text is a domain of the From organization, and the link leads through another host, as click tracking does',
      ({ mismatches }) => mismatches.length > 0,
    ),
    none: pass('none'),
  }),
  detail: ({ mismatches }) =>
    formatFound(mismatches.map((one) => `${one.shown_domain} leads to ${one.target_domain}`)),
  evidence: ({ mismatches }) => ({
    links: mismatches.map((one) => `${one.shown_domain} leads to ${one.target_domain}`),
  }),
  fix: {
    why: 'The text of a link shows a different domain from the one the link leads to, as in phishing.',
    do: 'Link to the domain that is shown. If your platform counts clicks, have it use a tracking host under your domain.',
  },
  fixes: {
    own: {
      why: 'A link shows your own domain but leads to {target_domain}. Most mail programs allow that, but some warn about it.',
      do: 'Show words instead, or use a tracking host under your domain.',
    },
  },
  cases: ({ mismatches }, facts) =>
    mismatches.every((one) => showsSender(one, facts)) ? ['own'] : [],
  values: ({ mismatches }) => ({ target_domain: mismatches[0]?.target_domain ?? '' }),
});

export const linkShortener = check({
  id: 'link_shortener',
  family: 'links',
  title: 'URL shorteners and redirectors',
  source: 'SpamAssassin 25_url_shortener and redirector_pattern; rspamd redirectors.inc',
  about: {
    what: 'Link shorteners and redirectors hide where a link leads.',
    why: 'Spammers use them for exactly that, and many blocklists list the shorteners.',
    how: ['Link to the page itself. In HTML, readers do not see how long the address is.'],
    bad: 'https://bit.ly/3xYz',
    good: 'https://example.com/sale',
  },
  subject: withLinks,
  states: ({ warn, pass }) => ({
    // Anyone who forwards a search result also forwards the redirector of the search engine.
    hidden_target: warn(11).when(
      'a known redirector that leads on to another organization, in an email that is neither a personal letter nor a list post',
      ({ redirectors }, facts) => redirectors.length > 0 && !isLetter(facts),
    ),
    shortened: warn(5).when(
      'a known shortener, or such a redirector in a letter',
      ({ shorteners, redirectors }) => shorteners.length + redirectors.length > 0,
    ),
    direct: pass('none'),
  }),
  detail: ({ shorteners, redirectors }) => formatFound([...redirectors, ...shorteners]),
  evidence: ({ shorteners }) => ({ hosts: shorteners }),
  fix: {
    why: 'Filters distrust shortened links because they hide where they lead.',
    do: 'Link to the page itself instead of {hosts}.',
  },
  fixes: {
    redirector: {
      why: 'A link leads through {redirectors}, which hides from filters and readers where the link goes.',
      do: 'Link to the page itself.',
    },
  },
  cases: ({ shorteners, redirectors }) =>
    whichHold({ redirector: redirectors.length > 0, fix: shorteners.length > 0 }),
  values: ({ shorteners, redirectors }) => ({
    hosts: formatList(shorteners),
    redirectors: formatList(redirectors),
  }),
});

/** Returns whether a person wrote the email, either directly to others or to a mailing list. */
const isLetter = ({ headers }: Facts): boolean => ifKnown(headers)?.isLetter ?? false;

interface Reputation {
  readonly configured: boolean;
  readonly listed: readonly { readonly host: string; readonly threats: readonly string[] }[];
  readonly asked: number;
  /** True if the email has more links than were examined. */
  readonly truncated: boolean;
}

/**
 * Judges the reputation of linked hosts. One flagged host is enough, but a clean result needs an answer for
 * each name. IP addresses are not looked up, because `link_ip_host` judges them.
 */
function judgeReputation(
  { webRisk }: Facts,
  { report, truncated }: LinkFacts,
): LookupResult<Reputation> | undefined {
  const names = report.domains.filter(({ ip_literal }) => !ip_literal);
  if (names.length === 0) return undefined;
  const answers = names.map(({ host }) => ({
    host,
    answer: entryOf(webRisk.hosts, host) ?? null,
  }));
  const listed = answers.flatMap(({ host, answer }) =>
    answer && answer.threats.length > 0 ? [{ host, threats: answer.threats }] : [],
  );
  const open = answers.filter(({ answer }) => answer === null).length;
  if (webRisk.configured && listed.length === 0 && open > 0) {
    return unknown(`web risk: no answer for ${open} of ${answers.length} hosts`);
  }
  return known({ configured: webRisk.configured, listed, asked: answers.length, truncated });
}

export const linkReputation = check({
  id: 'link_reputation',
  family: 'linkrep',
  title: 'Link reputation',
  source: 'Google Web Risk uris:search',
  about: {
    what: 'Lists of dangerous sites name domains that spread malware or steal passwords. This check looks up the domains that the email links to.',
    why: 'Many receivers refuse mail that links to a listed domain.',
    how: [
      'Remove the link.',
      'If the domain is yours, clean the site, then ask for a review in Google Search Console.',
    ],
    bad: 'a link to a domain that Google lists as dangerous',
    good: 'links to domains that are not listed',
  },
  subject: (facts) =>
    thenLookup<LinkFacts, Reputation>(facts.links, (links) => judgeReputation(facts, links)),
  states: ({ fail, info, pass }) => ({
    flagged: fail(60, 39).when(
      'a domain is flagged MALWARE / SOCIAL_ENGINEERING / UNWANTED_SOFTWARE',
      ({ listed }) => listed.length > 0,
    ),
    not_checked: info.when(
      'not checked: no service is configured',
      ({ configured }) => !configured,
    ),
    clean: pass('no domain is flagged'),
  }),
  detail: ({ configured, listed, asked, truncated }) =>
    listed.length > 0
      ? `${listed.map(({ host, threats }) => `${host}: ${threats.join(', ')}`).join('; ')}.`
      : configured
        ? `No threats found for ${formatCount(asked, 'host')} in ${truncated ? 'the links and images that were examined' : 'the links and images'}.`
        : 'Not checked: no service is configured.',
  evidence: ({ configured, listed, asked }) => ({
    configured,
    listed: listed.map(({ host }) => host),
    asked,
  }),
  fix: {
    why: 'Google Web Risk lists {domain} as dangerous, and receivers block mail that links there.',
    do: 'Remove the links. If the domain is yours, clean the site and ask for a review: https://safebrowsing.google.com/safebrowsing/report_error/.',
  },
  values: ({ listed }) => ({ domain: listed.map(({ host }) => host).join(', ') }),
});
