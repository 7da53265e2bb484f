/**
 * Provides facts about the service that all pages need: its address, path prefix, texts and price. Also
 * removes the path prefix from the URLs of all requests.
 */

import { describeOffer } from '../discovery/manifest.ts';
import type { ApiSettings } from '../options.ts';
import { assetVersion } from './assets.ts';
import { texts } from './texts.ts';
import { type Context, networkName, translator } from './view/html.mjs';

/** Facts about the service and its address that a page is rendered with. */
export interface Site extends Context {
  readonly baseUrl: string;
  /** The prefix of all paths of the service; empty if there is none. */
  readonly root: string;
  /** Returns the path of a static file in this release. */
  readonly asset: (name: string) => string;
}

let known = { baseUrl: '', prefix: '' };

/**
 * Returns the path prefix that clients of the service use. The result is cached, because it is needed for
 * each request.
 */
export function pathPrefix(baseUrl: string): string {
  if (known.baseUrl !== baseUrl)
    known = { baseUrl, prefix: new URL(baseUrl).pathname.replace(/\/$/, '') };
  return known.prefix;
}

/** Returns a path without the prefix, as the routes define it. */
export const withoutPrefix = (url: string, prefix: string): string =>
  prefix !== '' && url.startsWith(prefix) && /^[/?]|^$/.test(url.slice(prefix.length))
    ? url.slice(prefix.length).replace(/^(?!\/)/, '/')
    : url;

export function siteOf(settings: Pick<ApiSettings, 'baseUrl'>): Site {
  const baseUrl = settings.baseUrl();
  const root = pathPrefix(baseUrl);
  return {
    baseUrl,
    root,
    timeZone: 'UTC',
    t: translator(texts),
    href: (path) => root + path,
    asset: (name) => `${root}/assets/${assetVersion}/${name}`,
  };
}

/** The price of a report in the form that pages show. */
export interface PageOffer {
  /** The price in dollars, such as `0.05`. */
  readonly amount: string;
  /** The price with its sign, such as `$0.05`. */
  readonly price: string;
  /** Name of the network, such as `Base`. */
  readonly network: string;
}

/** Returns the price of a report, or null if reports are free. */
export function offerOf({ payment }: Pick<ApiSettings, 'payment'>): PageOffer | null {
  if (!payment) return null;
  const { amount, price, network } = describeOffer(payment);
  return { amount, price, network: networkName(network) };
}
