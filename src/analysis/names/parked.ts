/** Recognises a parked domain, whose SPF, DMARC and MX records declare that it is not used for mail. */

import type { Facts } from '../facts.ts';
import { ifKnown } from '../lookup-result.ts';

/**
 * Returns whether the From domain neither sends nor receives mail, and asks receivers to refuse all mail in
 * its name. Such a domain needs no logo, and reports about it would show only forgers.
 */
export const isParked = ({ dmarc, spf, names }: Facts): boolean =>
  ifKnown(dmarc)?.report.policy === 'reject' &&
  ifKnown(names.fromMx)?.nullMx === true &&
  /^v=spf1 +-all *$/i.test(ifKnown(spf)?.report.record ?? '');
