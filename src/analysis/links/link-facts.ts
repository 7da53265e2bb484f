/** Collects facts about the links of an email, such as their hosts, redirectors and mismatched texts. */

import { MAX_LISTED } from '../limits.ts';
import {
  isPublicName,
  isUnder,
  organizationalDomain,
  sameOrganization,
  toDomain,
} from '../names/domain-names.ts';
import { judgeIdn } from '../names/homographs.ts';
import { splitWords } from '../syntax/words.ts';
import type { LinkFacts } from './facts.ts';
import { type BodyLink, type BodyLinks, judgeHref, type Target, type WebTarget } from './href.ts';
import redirectors from './redirectors.json' with { type: 'json' };
import shorteners from './shorteners.json' with { type: 'json' };

/**
 * Beginnings of the paths of open redirectors, by host. A URL with such a path forwards anyone to any other
 * URL.
 */
const PATHS: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(redirectors));

const MAX_HREF = 4096;

/** Matches the host of a URL within another URL, plain or percent-encoded. */
const INNER = /https?(?::|%3a)(?:\/|%2f){2}([a-z0-9.-]+)/i;

/** Returns the key of a host in `PATHS`. Google offers the same paths in every country. */
const keyOf = (host: string): string => {
  const organization = organizationalDomain(host);
  return organization.startsWith('google.') ? 'google.com' : organization;
};

/** Matches links to redirectors that hide their target behind a code. */
const CODED = /^\/(?:ck\/a|slink|link)\?/;

/**
 * Returns whether some pages of a host forward to any other page. Every page under `translate.goog` belongs
 * to another site.
 */
const isRedirector = (host: string): boolean =>
  host.endsWith('.translate.goog') || PATHS.has(keyOf(host));

/**
 * Returns the domain to which a known redirector forwards, '' if its link contains only a code, or null if
 * the link is not a redirector's.
 */
function redirectTarget(host: string, href: string): string | null {
  // Google Translate shows a complete page of another site under a name of its own.
  if (host.endsWith('.translate.goog')) return '';
  const paths = PATHS.get(keyOf(host));
  if (paths === undefined) return null;
  const at = href.toLowerCase().indexOf('/', href.indexOf('//') + 2);
  const path = at === -1 ? '' : href.slice(at, at + MAX_HREF);
  if (!paths.some((one) => path.startsWith(one))) return null;
  const inner = toDomain(INNER.exec(path)?.[1] ?? '') ?? '';
  // In `/amp/s/`, the host follows without a scheme.
  const amp = toDomain(/^\/amp\/s\/([a-z0-9.-]+)/i.exec(path)?.[1] ?? '') ?? '';
  const known = [inner, amp].find((one) => one.includes('.'));
  return known ?? (CODED.test(path) ? '' : null);
}

/**
 * Hosts of URL shorteners, which hide where a link leads. Fraudsters use the same hosts to hide their
 * targets.
 */
const SHORTENERS: ReadonlySet<string> = new Set(shorteners);

const isShortener = (host: string): boolean => {
  const name = host.startsWith('www.') ? host.slice(4) : host;
  return SHORTENERS.has(name);
};

/** Suffixes that are common at the end of the names of files and packages. */
const FILE_ENDINGS = /\.(?:md|py|rs|sh|pl|ps|zip|mov|cc|so|app|ai|io)$/i;

const MAX_SHOWN = 300;

/** Returns the domain that a link's text shows, or null if the text is neither a domain nor a URL. */
const shownDomain = (text: string): string | null => {
  const shown = text.replace(/[\u200b\u00ad\ufeff]/g, '').trim();
  if (shown === '' || shown.length > MAX_SHOWN || /\s/.test(shown)) return null;
  const url = /^https?:\/\//i.test(shown);
  const authority = shown.replace(/^https?:\/\//i, '').split(/[/?#]/, 1)[0] ?? '';
  if (!url && authority.includes('@')) return null;
  const host = authority.slice(authority.lastIndexOf('@') + 1).split(':', 1)[0] ?? '';
  const domain = toDomain(host.replace(/[.,;!]$/, ''));
  if (domain === null || !domain.includes('.') || !isPublicName(domain)) return null;
  return !url && authority === shown && FILE_ENDINGS.test(shown) ? null : domain;
};

/**
 * Domains of the gateways with which receivers rewrite the links in their mail. Such a link is in an email
 * because it quotes another, and its text is what the first sender wrote.
 */
const GATEWAYS = splitWords(
  'safelinks.protection.outlook.com mcas.ms urldefense.com urldefense.proofpoint.com ' +
    'mimecast.com mimecastprotect.com linkprotect.cudasvc.com protection.sophos.com ' +
    'clicktime.symantec.com secure-web.cisco.com fireeyecloud.com',
);

/**
 * Returns the domain that a link's text shows, if the link leads to another organization. Otherwise returns
 * null.
 */
const mismatchOf = (text: string, host: string, href: string): string | null => {
  const shown = shownDomain(text);
  if (shown === null || GATEWAYS.some((one) => isUnder(host, one))) return null;
  const targets = [host, redirectTarget(host, href) ?? host];
  return targets.some((one) => sameOrganization(shown, one)) ? null : shown;
};

type LinkDomain = LinkFacts['report']['domains'][number];

interface WebLink {
  readonly web: WebTarget;
  readonly link: BodyLink;
}

const unique = (all: readonly string[]): string[] => [...new Set(all)].slice(0, MAX_LISTED);

const hostsOf = (targets: readonly WebTarget[], holds: (web: WebTarget) => boolean): string[] =>
  unique(targets.filter(holds).map(({ host }) => host));

/** Keeps one target per host, because many links lead to the same one. */
const oneOfEach = (targets: readonly WebTarget[]): readonly WebTarget[] => [
  ...new Map(targets.map((web) => [web.host, web])).values(),
];

const organizationOf = ({ host, ipLiteral }: WebTarget) =>
  ipLiteral ? null : organizationalDomain(host);

const belongs = ({ host, ipLiteral }: WebTarget, fromDomain: string | null): boolean =>
  fromDomain !== null && !ipLiteral && sameOrganization(host, fromDomain);

const toDomainEntry = (links: readonly WebLink[], fromDomain: string | null): LinkDomain => {
  const { web } = links[0] as WebLink;
  return {
    host: web.host,
    organizational_domain: organizationOf(web),
    count: links.length,
    schemes: unique(links.map(({ web }) => web.scheme)),
    roles: [...new Set(links.map(({ link }) => link.role))],
    aligned_with_from: belongs(web, fromDomain),
    shortener: isShortener(web.host),
    ip_literal: web.ipLiteral,
    idn: !web.ipLiteral && judgeIdn(web.host) !== 'ascii',
    non_default_port: links.some(({ web }) => web.oddPort),
    reputation: 'not_checked',
    threats: [],
    expires_at: null,
  };
};

/** Returns each distinct pair of shown domain and real domain. */
const mismatchesOf = (links: readonly WebLink[]): LinkFacts['mismatches'] => {
  const pairs = new Map<string, LinkFacts['mismatches'][number]>();
  for (const { web, link } of links) {
    const shown = link.text === null ? null : mismatchOf(link.text, web.host, link.href);
    if (shown === null) continue;
    const pair = { shown_domain: shown, target_domain: web.host };
    pairs.set(`${shown} ${web.host}`, pair);
  }
  return [...pairs.values()];
};

/** A link with its judged target. */
interface JudgedLink {
  readonly link: BodyLink;
  readonly target: Target;
}

const malformedShape = ({ link, target }: JudgedLink): string | null => {
  // An image without a source is not a link that a reader could follow.
  if (target.kind === 'malformed')
    return link.role === 'image' && target.shape === 'empty' ? null : target.shape;
  return target.kind === 'web' ? target.web.shape : null;
};

const malformedOf = (links: readonly JudgedLink[]): LinkFacts['malformed'] => {
  const shapes = new Map<string, number>();
  for (const link of links) {
    const shape = malformedShape(link);
    if (shape !== null) shapes.set(shape, (shapes.get(shape) ?? 0) + 1);
  }
  return [...shapes].map(([shape, count]) => ({ shape, count }));
};

const webLinks = (links: readonly JudgedLink[]): WebLink[] =>
  links.flatMap(({ link, target }) => (target.kind === 'web' ? [{ link, web: target.web }] : []));

/**
 * Collects everything that the checks may know about the links: their hosts and forms, but never a path or a
 * query.
 */
export const readLinkFacts = (
  { links, truncated }: BodyLinks,
  fromDomain: string | null,
): LinkFacts => {
  const known = new Map<string, Target>();
  const judged = links.map((link) => ({ link, target: judgeHref(link.href, known) }));
  const web = webLinks(judged);
  const clicked = web.filter(({ link }) => link.role !== 'image');
  const targets = web.map((one) => one.web);
  const hosts = oneOfEach(targets);
  const clickedHosts = oneOfEach(clicked.map((one) => one.web));
  const byHost = Map.groupBy(web, ({ web: { host } }) => host);
  const mismatches = mismatchesOf(clicked);
  const idn = Map.groupBy(
    hosts.filter(({ ipLiteral }) => !ipLiteral),
    ({ host }) => judgeIdn(host),
  );
  const namesJudged = (as: ReturnType<typeof judgeIdn>) => hostsOf(idn.get(as) ?? [], () => true);
  const leadsElsewhere = (host: string) =>
    byHost.get(host)?.some(({ link: { role, href } }) => {
      const target = role === 'image' ? null : redirectTarget(host, href);
      const own = [host, ...(fromDomain ? [fromDomain] : [])];
      return target !== null && !own.some((one) => sameOrganization(target, one));
    }) ?? false;
  return {
    report: {
      total: links.filter(({ role }) => role !== 'image').length,
      distinct_domains: byHost.size,
      non_https: targets.filter(({ scheme }) => scheme === 'http').length,
      text_mismatches: [...mismatches],
      domains: [...byHost.values()].map((group) => toDomainEntry(group, fromDomain)),
    },
    truncated,
    mismatches,
    shorteners: hostsOf(clickedHosts, ({ host }) => isShortener(host)),
    redirectors: hostsOf(clickedHosts, ({ host }) => isRedirector(host) && leadsElsewhere(host)),
    // `malformed` reports private addresses.
    ipHosts: hostsOf(hosts, ({ ipLiteral, shape }) => ipLiteral && shape === null),
    userinfoHosts: hostsOf(targets, ({ userinfo }) => userinfo),
    oddPorts: hostsOf(targets, ({ oddPort }) => oddPort),
    httpHosts: hostsOf(targets, ({ scheme }) => scheme === 'http'),
    homographs: { suspicious: namesJudged('suspicious'), idn: namesJudged('single_script') },
    organizationalDomains: new Set(clickedHosts.map((one) => organizationOf(one) ?? one.host)).size,
    underFromDomain: clickedHosts.some((one) => belongs(one, fromDomain)),
    malformed: malformedOf(judged),
  };
};
