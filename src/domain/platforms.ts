/**
 * Reads the largest sending platforms from `platforms.json`, with how to set up each of them to send for your
 * own domain, and adds the domains that each sends from.
 */

import { sendingDomains } from './owners.ts';
import platforms from './platforms.json' with { type: 'json' };

/** Instructions for setting up one sending platform for your own domain. */
export interface Platform {
  readonly name: string;
  /** Suffixes of the platform's host names, and the domains that it uses for DKIM signatures and bounces. */
  readonly domains: readonly string[];
  /**
   * The term that the platform's customers add to their SPF record. Null if its return path is the platform's
   * own domain, so that the customer's SPF record needs no change.
   */
  readonly include: string | null;
  /** Where to switch on DKIM for your own domain, and what to publish. */
  readonly dkim: string;
  /** Where to set up a return path under your own domain. Null if the platform does not offer one. */
  readonly returnPath: string | null;
  /** URL of the platform's own instructions, to check the entry against. */
  readonly source: string;
  /**
   * Says what the entry was compared with: the parts that stored copies of public pages showed, and those
   * that they did not.
   */
  readonly compared: string;
}

/** The day on which the entries were compared with stored copies of public pages. */
export const PLATFORMS_OF = '2026-11-22';

/** The largest sending platforms. */
export const PLATFORMS: readonly Platform[] = platforms.map((one) => ({
  ...one,
  domains: sendingDomains(one.name),
}));
