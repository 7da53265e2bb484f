import type { Links } from '../../domain/report/links.ts';

export interface LinkFacts {
  readonly report: Omit<Links, 'status' | 'provider' | 'checked_at'>;
  /** The mail has more links than were looked at. */
  readonly truncated: boolean;
  readonly mismatches: Links['text_mismatches'];
  readonly shorteners: readonly string[];
  /** Hosts that lead on to another organization, which stands behind them in the link. */
  readonly redirectors: readonly string[];
  readonly ipHosts: readonly string[];
  /** Hosts of links with a name before an `@`. */
  readonly userinfoHosts: readonly string[];
  readonly oddPorts: readonly string[];
  readonly httpHosts: readonly string[];
  readonly homographs: { readonly suspicious: readonly string[]; readonly idn: readonly string[] };
  readonly organizationalDomains: number;
  readonly underFromDomain: boolean;
  /** `empty`, `relative`, `unparsable`, `file`, `localhost`, `private_host`, with how often. */
  readonly malformed: readonly { readonly shape: string; readonly count: number }[];
}

/** Whether a web-risk service is configured, and what it said of each host. */
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
