/** Describes the service to the pages: its address, its price and its texts. */

import { describeOffer } from '../discovery/manifest.ts';
import type { ApiSettings } from '../options.ts';
import { assetVersion } from './assets.ts';
import { texts } from './texts.ts';
import { type Context, networkName, translator } from './view/html.mjs';

/** The facts for which a page is written: this service, at its address. */
export interface Site extends Context {
  readonly baseUrl: string;
  /** The prefix of all paths; empty if there is none. */
  readonly root: string;
  /** Returns the path of a static file in this version. */
  readonly asset: (name: string) => string;
}

let known = { baseUrl: '', prefix: '' };

/** Returns the prefix that the service's paths have for its clients. Called for each request. */
export function pathPrefix(baseUrl: string): string {
  if (known.baseUrl !== baseUrl)
    known = { baseUrl, prefix: new URL(baseUrl).pathname.replace(/\/$/, '') };
  return known.prefix;
}

/** Returns the path as the routes know it. */
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

/** The price of a report, as people write it. */
export interface PageOffer {
  /** `0.05` */
  readonly amount: string;
  /** `$0.05` */
  readonly price: string;
  /** `Base` */
  readonly network: string;
}

/** Returns null if a report costs nothing. */
export function offerOf({ payment }: Pick<ApiSettings, 'payment'>): PageOffer | null {
  if (!payment) return null;
  const { amount, price, network } = describeOffer(payment);
  return { amount, price, network: networkName(network) };
}
