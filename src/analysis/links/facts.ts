/** Facts about the links of an email, and a web-risk service's answers about their hosts. */

import type { Links } from '../../domain/report/links.ts';

/**
 * Facts about the links of an email: their hosts, mismatched texts, shorteners, redirectors and malformed
 * targets.
 */
export interface LinkFacts {
  readonly report: Omit<Links, 'status' | 'provider' | 'checked_at'>;
  /** True if the email has more links than were examined. */
  readonly truncated: boolean;
  readonly mismatches: Links['text_mismatches'];
  readonly shorteners: readonly string[];
  /** Hosts of redirectors that forward a link of the email to another organization. */
  readonly redirectors: readonly string[];
  readonly ipHosts: readonly string[];
  /** Hosts of links that contain a user name before an `@`. */
  readonly userinfoHosts: readonly string[];
  readonly oddPorts: readonly string[];
  readonly httpHosts: readonly string[];
  readonly homographs: { readonly suspicious: readonly string[]; readonly idn: readonly string[] };
  readonly organizationalDomains: number;
  readonly underFromDomain: boolean;
  /**
   * Number of links by the fault in their form: `empty`, `relative`, `unparsable`, `file`, `localhost`,
   * `private_host` or `zero_width`.
   */
  readonly malformed: readonly { readonly shape: string; readonly count: number }[];
}

/** The web-risk service's answer for each host, if a service is configured. */
export interface WebRiskFacts {
  readonly configured: boolean;
  readonly checkedAt: string | null;
  readonly hosts: Readonly<
    Record<
      string,
      { readonly threats: readonly string[]; readonly expiresAt: string | null } | null
    >
  >;
}
