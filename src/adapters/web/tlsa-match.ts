/** Compares a host's certificate with its TLSA records (RFC 7672). */

import { createHash, type X509Certificate } from 'node:crypto';
import type { VisitedHost } from '../../ports/mail-host.ts';

type Tlsa = VisitedHost['tlsa'][number];

/**
 * The hash for each matching type. Type 0 has none, because its record contains the data itself (RFC 6698
 * §2.1.3).
 */
const HASHES: Readonly<Record<number, string>> = { 1: 'sha256', 2: 'sha512' };

function isOf(certificate: X509Certificate, { selector, matching, data }: Tlsa): boolean {
  const bytes =
    selector === 0
      ? certificate.raw
      : certificate.publicKey.export({ type: 'spki', format: 'der' });
  const hash = HASHES[matching];
  return (hash ? createHash(hash).update(bytes).digest('hex') : bytes.toString('hex')) === data;
}

/**
 * Returns whether each certificate is signed by the next one, up to the authority, whether all are within
 * their validity, and whether the first is for one of the names.
 */
function leadsTo(
  chain: readonly X509Certificate[],
  authority: X509Certificate,
  names: readonly string[],
  now: number,
): boolean {
  const [own] = chain;
  const isLinked = chain.every((one, i) => {
    const issuer = chain[i + 1] ?? authority;
    return one.checkIssued(issuer) && one.verify(issuer.publicKey);
  });
  const isInTime = chain.every(
    ({ validFromDate, validToDate }) =>
      validFromDate.getTime() <= now && now <= validToDate.getTime(),
  );
  return isLinked && isInTime && names.some((name) => own?.checkHost(name) !== undefined);
}

/**
 * Returns whether a TLSA record names the certificate (RFC 7672 §3.1): the host's own key (usage 3), whatever
 * the name and the dates say, or an authority that was sent with it (usage 2). Returns null if there is no
 * record or no certificate, or if a key of the chain cannot be read.
 */
export function isNamedByTlsa(
  chain: readonly X509Certificate[],
  { host, names, tlsa }: VisitedHost,
  now: number,
): boolean | null {
  const [own, ...authorities] = chain;
  if (tlsa.length === 0 || !own) return null;
  const isNamed = (record: Tlsa) =>
    record.usage === 3
      ? isOf(own, record)
      : authorities.some(
          (one, i) =>
            isOf(one, record) && leadsTo(chain.slice(0, i + 1), one, [host, ...names], now),
        );
  try {
    return tlsa.some(isNamed);
  } catch {
    return null;
  }
}
