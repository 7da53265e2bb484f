/**
 * Connects to mail hosts at public addresses to examine their TLS and to compare their certificates with TLSA
 * records, with one connection for many emails.
 */

import type { VisitedHost, VisitMailHost } from '../../ports/mail-host.ts';
import { createAddressGuard, isOwnAddress } from './address-guard.ts';
import type { FetchOptions } from './guarded-fetch.ts';
import { openTls, type TlsSession } from './starttls.ts';
import { isNamedByTlsa } from './tlsa-match.ts';

/** Time limit for visiting one host, in milliseconds: some hosts wait before they send their greeting. */
const DEADLINE_MS = 8000;

/**
 * How long a host is not visited again, in milliseconds. Someone who has corrected the host and tries again
 * must not see the old result.
 */
const KEPT_MS = 60_000;

/**
 * Maximum number of visits that are kept, of concurrent connections, and of names under which one address is
 * visited within that time.
 */
const MAX_KEPT = 300;
const MAX_OPEN = 20;
const MAX_NAMES = 3;

interface Visit {
  readonly host: string;
  readonly address: string;
  /** When the visit began, in `performance.now()` time. */
  readonly at: number;
  readonly session: Promise<TlsSession>;
}

/**
 * Visits mail hosts at public addresses, each with one connection to port 25 that many emails share, so that
 * nobody can use this service to contact someone else's server again and again.
 *
 * @param helo the name in EHLO
 */
export function createVisits({
  helo,
  override,
  nat64Prefixes,
  deadlineMs = DEADLINE_MS,
}: FetchOptions & { readonly helo: string }): VisitMailHost {
  const isPublic = createAddressGuard(nat64Prefixes, override !== undefined);
  let visits: readonly Visit[] = [];
  let open = 0;

  async function begin(host: string, address: string): Promise<TlsSession> {
    open += 1;
    try {
      return await openTls({
        ...{ host, helo, address: override?.connect ?? address, port: override?.port ?? 25 },
        ...{ ca: override?.ca, signal: AbortSignal.timeout(deadlineMs) },
      });
    } finally {
      open -= 1;
    }
  }

  function visit(host: string, address: string): Promise<TlsSession> {
    const now = performance.now();
    visits = visits.filter(({ at }) => now - at < KEPT_MS);
    const there = visits.filter((one) => one.address === address);
    const known = there.find((one) => one.host === host);
    if (known) return known.session;
    if (there.length >= MAX_NAMES || open >= MAX_OPEN || visits.length >= MAX_KEPT)
      return Promise.resolve({ status: 'silent', reason: 'not checked, because others just were' });
    const session = begin(host, address);
    visits = [...visits, { host, address, at: now, session }];
    return session;
  }

  return async (mailHost) => {
    const { host } = mailHost;
    const unknown = (reason: string) =>
      ({ status: 'unknown', error: `starttls: ${host}: ${reason}` }) as const;
    const address = inOrder(mailHost).find((one) => isPublic(one) && !isOwnAddress(one));
    if (address === undefined) return unknown('no public address');
    const session = await visit(host, address);
    if (session.status === 'silent') return unknown(session.reason);
    if (session.status !== 'tls')
      return { status: 'known', value: { version: null, fault: session.reason, named: null } };
    const { version, fault, chain } = session;
    const named = isNamedByTlsa(chain, mailHost, Date.now());
    return { status: 'known', value: { version, fault, named } };
  };
}

/** IPv4 comes first, because nearly every host is reachable over it. */
const inOrder = ({ addresses }: VisitedHost): readonly string[] =>
  addresses.toSorted((a, b) => Number(a.includes(':')) - Number(b.includes(':')));
