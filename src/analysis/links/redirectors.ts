import { organizationalDomain, toDomain } from '../names/domain-names.ts';
import redirectors from './redirectors.json' with { type: 'json' };

/** Pages that lead anyone who asks them on to any other page: by host, the beginnings of their paths. */
const PATHS: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(redirectors));

const MAX_HREF = 4096;

/** The host of a URL within a URL, as it is or encoded. */
const INNER = /https?(?::|%3a)(?:\/|%2f){2}([a-z0-9.-]+)/i;

/** Behind the same path in every country. */
const keyOf = (host: string): string => {
  const organization = organizationalDomain(host);
  return organization.startsWith('google.') ? 'google.com' : organization;
};

/** Links of redirectors that show nobody where they lead: codes instead of addresses. */
const CODED = /^\/(?:ck\/a|slink|link)\?/;

/** The domain that a known redirector leads on to, '' where a code stands for it; null: no redirector. */
export function redirectTarget(host: string, href: string): string | null {
  // The whole page of another site under a name of the translator.
  if (host.endsWith('.translate.goog')) return '';
  const paths = PATHS.get(keyOf(host));
  if (paths === undefined) return null;
  const at = href.toLowerCase().indexOf('/', href.indexOf('//') + 2);
  const path = at === -1 ? '' : href.slice(at, at + MAX_HREF);
  if (!paths.some((one) => path.startsWith(one))) return null;
  const inner = toDomain(INNER.exec(path)?.[1] ?? '') ?? '';
  // `/amp/s/` has the host without a scheme.
  const amp = toDomain(/^\/amp\/s\/([a-z0-9.-]+)/i.exec(path)?.[1] ?? '') ?? '';
  const known = [inner, amp].find((one) => one.includes('.'));
  return known ?? (CODED.test(path) ? '' : null);
}
