/**
 * Parses the addresses of the operator's spam filters (spamd and rspamd), and tells whether they are in the
 * operator's own network.
 */

import ipaddr from 'ipaddr.js';

/** The address at which a spam filter listens. */
export type FilterAddress =
  | { readonly host: string; readonly port: number }
  | {
      /** Path of a Unix socket. */
      readonly path: string;
    };

/** Addresses of the operator's own spam filters; null for a filter that is not used. */
export interface FilterSettings {
  readonly spamd: FilterAddress | null;
  readonly rspamd: FilterAddress | null;
}

/** Returns whether at least one spam filter has an address. */
export const namesFilter = (filters: FilterSettings | undefined): filters is FilterSettings =>
  (filters?.spamd ?? filters?.rspamd ?? null) !== null;

const NAME = /^(?=.{1,253}$)[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i;

/** Parses `host:port`, `[ipv6]:port` or the path of a Unix socket. Returns `undefined` for anything else. */
export function parseFilterAddress(text: string): FilterAddress | undefined {
  if (/^\/[^\p{Cc}]{1,100}$/u.test(text)) return { path: text };
  const [, v6, name = '', port] = /^(?:\[([^\]]+)\]|([^:/]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = v6 ?? name;
  const isHost = v6 === undefined ? NAME.test(host) : ipaddr.IPv6.isValid(host);
  if (!isHost || !(Number(port) > 0 && Number(port) <= 65_535)) return undefined;
  return { host, port: Number(port) };
}

/** Parses `http://host:port` or `unix:/path`. Returns `undefined` for anything else. */
export function parseFilterUrl(text: string): FilterAddress | undefined {
  if (text.startsWith('unix:/')) return parseFilterAddress(text.slice('unix:'.length));
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url?.protocol === 'http:' && url.href === `${url.origin}/`;
  return isPlain ? parseFilterAddress(`${url.hostname}:${url.port || '80'}`) : undefined;
}

/**
 * Returns why an email sent to this address could leave the operator's own network, or null if it cannot.
 */
export function outsideOf(address: FilterAddress): 'host name' | 'public' | 'other' | null {
  if ('path' in address || address.host === 'localhost') return null;
  if (!ipaddr.isValid(address.host)) return 'host name';
  const range = ipaddr.parse(address.host).range();
  if (range === 'loopback' || range === 'private' || range === 'uniqueLocal') return null;
  return range === 'unicast' ? 'public' : 'other';
}
