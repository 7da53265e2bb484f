import type { Facts } from '../facts.ts';
import { ifKnown } from '../lookup-result.ts';

/**
 * Returns whether the email goes to many people, surely or perhaps. Requirements for bulk email do not
 * concern others.
 */
export const goesToMany = ({ headers }: Facts): boolean => {
  const bulk = ifKnown(headers)?.bulk;
  return bulk !== undefined && (bulk.isBulk || bulk.mayBe);
};
