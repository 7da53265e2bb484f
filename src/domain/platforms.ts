/** Lists the largest sending platforms, with how to set each up for a domain. */

import { sendingDomains } from './owners.ts';
import platforms from './platforms.json' with { type: 'json' };

/** How to set up one sending platform for a domain of your own. */
export interface Platform {
  readonly name: string;
  /** Suffixes of its host names, and the domains that it signs and bounces with. */
  readonly domains: readonly string[];
  /**
   * The term that its customers add to SPF. Null if its return path is its own domain, so that SPF needs
   * nothing.
   */
  readonly include: string | null;
  /** Where to switch on DKIM for your own domain, and what to publish. */
  readonly dkim: string;
  /** Where to set a return path under your own domain. Null if the platform does not offer that. */
  readonly returnPath: string | null;
  /** The platform's own page, to check the entry against. */
  readonly source: string;
  /** The parts of the entry that the stored copies showed, and those that they did not. */
  readonly compared: string;
}

/** When the entries were compared with stored copies of public pages. */
export const PLATFORMS_OF = '2026-11-22';

/** The largest platforms. */
export const PLATFORMS: readonly Platform[] = platforms.map((one) => ({
  ...one,
  domains: sendingDomains(one.name),
}));
