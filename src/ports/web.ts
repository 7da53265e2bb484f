import type { Resolver } from './dns.ts';

/**
 * How a guarded fetch ended. `ours`: our limit or network, a fact about nobody; `theirs`: a fault;
 * `unopened`: nothing is fetched here at all.
 */
export type Fetched =
  | {
      readonly status: 'fetched';
      readonly httpStatus: number;
      readonly contentType: string;
      readonly body: Uint8Array;
    }
  | FetchFailure;

export interface FetchFailure {
  readonly status: 'failed';
  readonly fault: 'ours' | 'theirs' | 'unopened';
  readonly reason: string;
}

/**
 * HTTPS GET of a URL published in the sender's DNS: public addresses only, capped, no redirects.
 * The host is looked up by the mail's own resolver.
 */
export type GuardedFetch = (
  url: string,
  limits: { readonly maxBytes: number; readonly resolver: Resolver },
) => Promise<Fetched>;

/** What a BIMI mark certificate states; `fault` is null when it is good for the logo and the name. */
export interface CertificateVerdict {
  readonly type: 'vmc' | 'cmc' | null;
  readonly issuer: string | null;
  readonly subjectNames: readonly string[];
  /** RFC 3339. */
  readonly notAfter: string | null;
  /** null: there is no logo to compare with. */
  readonly logoMatches: boolean | null;
  readonly fault: string | null;
}

/** Judges a mark certificate in a worker thread. `null`: it takes too long. Rejects when others take our time. */
export type CheckCertificate = (certificate: {
  readonly pem: Uint8Array;
  readonly svg: Uint8Array | null;
  readonly domain: string;
  readonly selector: string;
  /** RFC 3339: the arrival of the mail. */
  readonly at: string;
}) => Promise<CertificateVerdict | null>;

/**
 * The answer of a web-risk service about each host: its threats, or `null` when none came. Hosts that it
 * was not asked about, because they are too many, are left out.
 */
export interface WebRisk {
  readonly configured: boolean;
  lookUpHosts(
    hosts: readonly string[],
  ): Promise<
    Readonly<
      Record<
        string,
        { readonly threats: readonly string[]; readonly expiresAt: string | null } | null
      >
    >
  >;
}
