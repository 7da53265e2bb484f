import type { Step } from '../advice/actions.ts';
import { publicFrom } from '../advice/fill.ts';
import { defineCheck } from '../define-check.ts';
import type { Facts } from '../facts.ts';
import { formatCount, formatCountUpTo, formatFound, formatId, formatList } from '../format.ts';
import {
  entryOf,
  ifKnown,
  keepIf,
  known,
  type LookupResult,
  thenLookup,
  unknown,
} from '../lookup-result.ts';
import type { LinkFacts } from '../mail-facts.ts';
import { isUnder, sameOrganization } from '../names/domain-names.ts';

/** Practice, not a standard: more links or domains are typical of spam. */
const MANY_LINKS = 50;
const MANY_DOMAINS = 10;

/** The links of a mail that has any, broken ones and images among them. */
const withLinks = ({ links }: Facts) =>
  keepIf(
    links,
    ({ report, malformed }) => report.total + report.domains.length + malformed.length > 0,
  );

/** Whether a link shows a name of the organization that the mail is from. */
const showsSender = (
  { shown_domain }: LinkFacts['mismatches'][number],
  { names: { fromDomain, fromOrganizationalDomain } }: Facts,
): boolean =>
  fromDomain !== null &&
  (sameOrganization(shown_domain, fromDomain) ||
    isUnder(shown_domain, fromOrganizationalDomain ?? fromDomain));

export const linkTextMismatch = defineCheck({
  id: 'link_text_mismatch',
  subject: withLinks,
  ladder: [
    ['warn', ({ mismatches }, facts) => mismatches.some((one) => !showsSender(one, facts))],
    // Click tracking: the reader was promised the sender, and gets there by a detour.
    ['info', ({ mismatches }) => mismatches.length > 0],
  ],
  detail: ({ mismatches }) =>
    formatFound(mismatches.map((one) => `${one.shown_domain} leads to ${one.target_domain}`)),
  fixes: ({ mismatches }, facts) =>
    mismatches.every((one) => showsSender(one, facts)) ? ['own'] : [],
  values: ({ mismatches }) => ({ target_domain: mismatches[0]?.target_domain ?? '' }),
});

export const linkShortener = defineCheck({
  id: 'link_shortener',
  subject: withLinks,
  ladder: [
    // A reader who hands on what a search showed takes its redirector along.
    ['warn', ({ redirectors }, facts) => redirectors.length > 0 && !isLetter(facts)],
    ['warn', ({ shorteners, redirectors }) => shorteners.length + redirectors.length > 0],
  ],
  detail: ({ shorteners, redirectors }) => formatFound([...redirectors, ...shorteners]),
  fixes: ({ shorteners, redirectors }) => [
    ...(redirectors.length > 0 ? ['redirector'] : []),
    ...(shorteners.length > 0 ? ['fix'] : []),
  ],
  values: ({ shorteners, redirectors }) => ({
    hosts: formatList(shorteners),
    redirectors: formatList(redirectors),
  }),
});

/** What people write to each other. */
const isLetter = ({ headers }: Facts): boolean =>
  ['personal', 'discussion_list'].includes(ifKnown(headers)?.classification.class ?? '');

export const linkIpHost = defineCheck({
  id: 'link_ip_host',
  subject: withLinks,
  ladder: [
    ['fail', ({ ipHosts, userinfoHosts }) => ipHosts.length + userinfoHosts.length > 0],
    ['warn', ({ oddPorts }) => oddPorts.length > 0],
  ],
  detail: ({ ipHosts, userinfoHosts, oddPorts }) =>
    formatFound([
      ...ipHosts.map((host) => `the address ${host}`),
      ...userinfoHosts.map((host) => `a name before the @ of ${host}`),
      ...oddPorts.map((host) => `another port of ${host}`),
    ]),
  fixes: ({ ipHosts, userinfoHosts, oddPorts }) => [
    ...(ipHosts.length > 0 ? ['ip'] : []),
    ...(userinfoHosts.length > 0 ? ['userinfo'] : []),
    ...(oddPorts.length > 0 ? ['port'] : []),
  ],
  values: ({ ipHosts, userinfoHosts, oddPorts }) => ({
    ips: formatList(ipHosts),
    userinfo_hosts: formatList(userinfoHosts),
    ports: formatList(oddPorts),
  }),
});

/** Hosts that a fix names one by one. */
const MAX_HOSTS = 20;

const toHttps = (host: string): Step => ({
  owner: 'sender',
  kind: 'content',
  operation: 'replace',
  name: 'link',
  type: null,
  value: `https://${host}`,
  replaces: [`http://${host}`],
});

export const linkHttps = defineCheck({
  id: 'link_https',
  subject: withLinks,
  ladder: [['warn', ({ httpHosts }) => httpHosts.length > 0]],
  detail: ({ httpHosts }) =>
    httpHosts.length > 0 ? `http:// to ${httpHosts.join(', ')}.` : 'All https.',
  values: ({ httpHosts }) => ({ hosts: formatList(httpHosts) }),
  steps: ({ httpHosts }) => httpHosts.slice(0, MAX_HOSTS).map(toHttps),
});

export const linkHomograph = defineCheck({
  id: 'link_homograph',
  subject: withLinks,
  ladder: [
    ['warn', ({ homographs }) => homographs.suspicious.length > 0],
    ['info', ({ homographs }) => homographs.idn.length > 0],
  ],
  detail: ({ homographs }) => formatFound([...homographs.suspicious, ...homographs.idn]),
  values: ({ homographs }) => ({ hosts: formatList(homographs.suspicious) }),
});

export const linkCount = defineCheck({
  id: 'link_count',
  subject: withLinks,
  ladder: [
    [
      'warn',
      ({ report, organizationalDomains }) =>
        report.total > MANY_LINKS || organizationalDomains > MANY_DOMAINS,
    ],
  ],
  detail: ({ report, organizationalDomains, truncated }) =>
    `${formatCountUpTo(report.total, 'link', truncated)} to ${formatCountUpTo(organizationalDomains, 'domain', truncated)}; ${MANY_LINKS} and ${MANY_DOMAINS} are the most.`,
});

/** Left out without a From domain of one's own to compare with. */
export const linkOffdomain = defineCheck({
  id: 'link_offdomain',
  subject: (facts) =>
    publicFrom(facts) === null || ifKnown(facts.headers)?.from.freemail
      ? undefined
      : withLinks(facts),
  ladder: [['info', ({ underFromDomain }) => !underFromDomain]],
  detail: (
    { underFromDomain, report, truncated },
    { names: { fromOrganizationalDomain, fromDomain } },
  ) => {
    const own = fromOrganizationalDomain ?? fromDomain;
    if (underFromDomain) return `A link is under ${own}.`;
    const hosts = report.domains.filter(({ roles }) => roles.some((role) => role !== 'image'));
    const some = truncated ? `None of the first ${report.total} links` : 'No link';
    return `${some} is under ${own}; they lead to ${hosts.map(({ host }) => host).join(', ') || 'no web page'}.`;
  },
});

/** Links by what is wrong with their shape, as a fix speaks of them. */
const SHAPES: Readonly<Record<string, (n: number) => string>> = {
  empty: (n) => `${formatCount(n, 'link')} without a target`,
  relative: (n) => `${formatCount(n, 'link')} without https:// and a host`,
  unparsable: (n) => `${formatCount(n, 'link')} that cannot be read as a URL`,
  file: (n) => `${formatCount(n, 'link')} to files of your own machine`,
  localhost: (n) => `${formatCount(n, 'link')} to localhost`,
  private_host: (n) => `${formatCount(n, 'link')} to hosts of a private network`,
  zero_width: (n) => `${formatCount(n, 'link')} with invisible characters in the host`,
};

export const linkMalformed = defineCheck({
  id: 'link_malformed',
  subject: withLinks,
  ladder: [['warn', ({ malformed }) => malformed.length > 0]],
  detail: ({ malformed }) =>
    formatFound(malformed.map(({ shape, count: n }) => `${n} ${formatId(shape)}`)),
  values: ({ malformed }) => ({
    shapes: formatList(
      malformed.map(({ shape, count: n }) => SHAPES[shape]?.(n) ?? `${n} ${formatId(shape)}`),
    ),
  }),
});

interface Reputation {
  readonly configured: boolean;
  readonly listed: readonly { readonly host: string; readonly threats: readonly string[] }[];
  readonly asked: number;
  /** The mail has more links than were looked at. */
  readonly truncated: boolean;
}

/**
 * One flagged host is enough; a clean bill needs an answer for each name. Addresses are not asked
 * for: `link_ip_host` judges them.
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

export const linkReputation = defineCheck({
  id: 'link_reputation',
  subject: (facts) =>
    thenLookup<LinkFacts, Reputation>(facts.links, (links) => judgeReputation(facts, links)),
  ladder: [
    ['fail', ({ listed }) => listed.length > 0],
    ['info', ({ configured }) => !configured],
  ],
  detail: ({ configured, listed, asked, truncated }) =>
    listed.length > 0
      ? `${listed.map(({ host, threats }) => `${host}: ${threats.join(', ')}`).join('; ')}.`
      : configured
        ? `Clean: ${formatCount(asked, 'host')} of ${truncated ? 'the links and images that were looked at' : 'links and images'}.`
        : 'not_checked: no service is configured.',
  values: ({ listed }) => ({ domain: listed.map(({ host }) => host).join(', ') }),
});
