/**
 * Declares the ports through which files are fetched over HTTPS, BIMI mark certificates are judged, and a
 * web-risk service is asked about the hosts of links.
 */

import type { Resolver } from './dns.ts';

/**
 * How a guarded fetch ended. `ours`: our limit or network failed, which says nothing about anyone else;
 * `theirs`: a fault of the URL, its host or its server; `unopened`: this service does not fetch anything.
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
 * Fetches a URL that the sender's DNS publishes, by HTTPS GET: from public addresses only, with a size limit
 * and without following redirects. The host is looked up by the email's own resolver.
 */
export type GuardedFetch = (
  url: string,
  limits: { readonly maxBytes: number; readonly resolver: Resolver },
) => Promise<Fetched>;

/** The content of a BIMI mark certificate. `fault` is null if it is valid for the logo and the name. */
export interface CertificateVerdict {
  readonly type: 'vmc' | 'cmc' | null;
  readonly issuer: string | null;
  readonly subjectNames: readonly string[];
  /** When the certificate expires, in RFC 3339. */
  readonly notAfter: string | null;
  /** True if the certificate contains this logo. Null if there is no logo to compare with. */
  readonly logoMatches: boolean | null;
  readonly fault: string | null;
}

/**
 * Judges a mark certificate in a worker thread. Resolves to null if the certificate takes too long or breaks
 * the thread. Rejects if the thread does not start, or is busy with other certificates for too long.
 */
export type CheckCertificate = (certificate: {
  readonly pem: Uint8Array;
  readonly svg: Uint8Array | null;
  readonly domain: string;
  readonly selector: string;
  /** When the email arrived, in RFC 3339. */
  readonly at: string;
}) => Promise<CertificateVerdict | null>;

/**
 * The web-risk service's answer for each host: its threats, or `null` if none came. Hosts left unchecked
 * because there were too many are omitted.
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
