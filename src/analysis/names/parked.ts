/** Recognises a domain that is kept from being used for mail. */

import type { Facts } from '../facts.ts';
import { ifKnown } from '../lookup-result.ts';

/**
 * Returns whether the From domain sends and receives no mail, and asks receivers to refuse all of it. It then
 * needs no logo, and its reports would show only forgers.
 */
export const isParked = ({ dmarc, spf, names }: Facts): boolean =>
  ifKnown(dmarc)?.report.policy === 'reject' &&
  ifKnown(names.fromMx)?.nullMx === true &&
  /^v=spf1 +-all *$/i.test(ifKnown(spf)?.report.record ?? '');
