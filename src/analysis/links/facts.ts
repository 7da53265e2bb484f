import type { Links } from '../../domain/report/links.ts';

/** Facts about the links of an email. */
export interface LinkFacts {
  readonly report: Omit<Links, 'status' | 'provider' | 'checked_at'>;
  /** The email has more links than were examined. */
  readonly truncated: boolean;
  readonly mismatches: Links['text_mismatches'];
  readonly shorteners: readonly string[];
  /** Hosts that forward to another organization, which is named later in the link. */
  readonly redirectors: readonly string[];
  readonly ipHosts: readonly string[];
  /** Hosts of links with a name before an `@`. */
  readonly userinfoHosts: readonly string[];
  readonly oddPorts: readonly string[];
  readonly httpHosts: readonly string[];
  readonly homographs: { readonly suspicious: readonly string[]; readonly idn: readonly string[] };
  readonly organizationalDomains: number;
  readonly underFromDomain: boolean;
  /** `empty`, `relative`, `unparsable`, `file`, `localhost`, `private_host`, each with its count. */
  readonly malformed: readonly { readonly shape: string; readonly count: number }[];
}

/** The answers of the web-risk service about each host, if one is configured. */
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
