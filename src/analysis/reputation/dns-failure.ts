/**
 * Recognizes domains whose own DNS fails, and provides the state, the texts and the steps with which checks
 * report that and say how to fix it.
 */

import { askStep, type Step } from '../advice/actions.ts';
import type { States } from '../definition.ts';
import { errorAsData, type LookupResult } from '../lookup-result.ts';
import { organizationalDomain } from '../names/domain-names.ts';

/**
 * Ways in which the DNS of a domain fails for everyone: its name servers fail, or its DNSSEC signatures are
 * invalid.
 */
export type DnsFailure = 'servfail' | 'bogus';

const FAILURES: Readonly<Record<string, DnsFailure>> = { SERVFAIL: 'servfail', BOGUS: 'bogus' };

/**
 * Returns the kind of failure if a lookup failed because of the domain's own DNS. A resolver reports such a
 * failure only after asking the domain's name servers. If there was no answer at all, our own network may be
 * at fault.
 */
export const dnsFailureOf = (lookup: LookupResult<unknown>): DnsFailure | undefined =>
  lookup.status === 'unknown' ? FAILURES[errorAsData(lookup.error).reason] : undefined;

/**
 * Returns the state of a domain whose DNS fails. Receivers defer its email as long as they cannot look up the
 * record (RFC 7208 §8.6, RFC 9989 §4.10).
 */
export const dnsFails = <S extends { readonly failure?: DnsFailure | undefined }>({
  fail,
}: States<S>) =>
  fail(10, 74).when(
    'the name servers of the domain fail (SERVFAIL), or its DNSSEC signatures are not valid: receivers defer its mail, and refuse it if the failure lasts',
    ({ failure }) => failure !== undefined,
  );

export const formatFailure = (domain: string, failure: DnsFailure): string =>
  failure === 'bogus'
    ? `${domain} cannot be looked up: its DNSSEC signatures are not valid.`
    : `${domain} cannot be looked up: its name servers fail (SERVFAIL).`;

/**
 * Returns the texts of the fixes for a domain whose DNS fails.
 * @param domain the placeholder in braces for the name of the domain
 */
export const failureFixes = <D extends string>(domain: D) => ({
  servfail:
    `The name servers of ${domain} failed when this email arrived, so its records could not be looked up. Receivers defer such mail, and refuse it if the failure lasts.` as const,
  bogus:
    `The DNSSEC signatures of ${domain} are not valid, so receivers that check them find none of its records. They defer or refuse its mail.` as const,
});

/** Returns the cause that all findings about a failing zone share, because one zone needs only one fix. */
export const failureCause = (domain: string): string => `dns:${organizationalDomain(domain)}`;

export function failureSteps(domain: string, failure: DnsFailure): readonly Step[] {
  const zone = organizationalDomain(domain);
  return [
    askStep(
      failure === 'bogus'
        ? `Ask whoever hosts the DNS of ${zone} whether it is still signed with DNSSEC. If it is, have it signed again, and give the registrar the DS record that belongs to the current key. If it is not, for example after a move, have the registrar delete the DS record.`
        : `Ask whoever hosts the DNS of ${zone} why its name servers fail for ${domain}: often the zone has expired or cannot be loaded, or the servers that the registrar lists no longer have it. Then test again.`,
    ),
  ];
}
