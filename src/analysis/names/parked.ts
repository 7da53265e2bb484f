/** Recognizes a parked domain, whose SPF, DMARC and MX records declare that it is not used for mail. */

import type { Facts } from '../facts.ts';
import { ifKnown } from '../lookup-result.ts';

/** Returns whether the From domain declares that it does not send mail. */
const sendsNothing = ({ spf }: Facts): boolean =>
  /^v=spf1 +-all *$/i.test(ifKnown(spf)?.report.record ?? '');

/**
 * Returns whether the From domain has no MX record, and declares that it does not send mail. Without an email,
 * nothing contradicts that.
 */
export const isIdle = (facts: Facts): boolean => {
  const { mx = null, nullMx } = ifKnown(facts.names.fromMx) ?? {};
  return facts.names.ip === null && mx?.length === 0 && !nullMx && sendsNothing(facts);
};

/** Returns whether the From domain declares that it neither receives nor sends mail. */
const isUnused = (facts: Facts): boolean =>
  (ifKnown(facts.names.fromMx)?.nullMx === true && sendsNothing(facts)) || isIdle(facts);

/**
 * Returns whether the From domain neither sends nor receives mail, and asks receivers to refuse all mail in
 * its name. Such a domain needs no logo, and reports about it would show only forgers.
 */
export const isParked = (facts: Facts): boolean =>
  ifKnown(facts.dmarc)?.report.policy === 'reject' && isUnused(facts);

/**
 * Returns whether the From domain has everything that a parked domain needs, except for its own DMARC policy.
 * Without an email, nothing contradicts its declarations.
 */
export function lacksOnlyPolicy(facts: Facts): boolean {
  const { record_domain, organizational_domain_psl } = ifKnown(facts.dmarc)?.report ?? {};
  const { ip, fromDomain } = facts.names;
  const isOwn = (record_domain ?? organizational_domain_psl) === fromDomain;
  return ip === null && isOwn && isUnused(facts) && !isParked(facts);
}
