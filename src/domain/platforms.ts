import { sendingDomains } from './owners.ts';
import platforms from './platforms.json' with { type: 'json' };

/** How one sending platform is set up for a domain of one's own. */
export interface Platform {
  readonly name: string;
  /** Suffixes of its hosts' names and of the domains that it signs and bounces with. */
  readonly domains: readonly string[];
  /** What its customers put into SPF; null: its return path is its own, and SPF needs nothing. */
  readonly include: string | null;
  /** Where DKIM for one's own domain is turned on, and what it has to be published there. */
  readonly dkim: string;
  /** Where a return path under one's own domain is set; null: the platform lets nobody set one. */
  readonly returnPath: string | null;
  /** The platform's page on it, to check the entry against. */
  readonly source: string;
  /** What the copies showed of the entry, and what they did not. */
  readonly compared: string;
}

/** When the entries were compared with stored copies of public pages. */
export const PLATFORMS_OF = '2026-11-22';

/** The largest ones. */
export const PLATFORMS: readonly Platform[] = platforms.map((one) => ({
  ...one,
  domains: sendingDomains(one.name),
}));
