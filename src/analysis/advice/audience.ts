import type { Facts } from '../facts.ts';
import { ifKnown } from '../lookup-result.ts';

/**
 * Returns whether the email is, or may be, sent to many people. The requirements for bulk email do not apply
 * to other email.
 */
export const goesToMany = ({ headers }: Facts): boolean => {
  const bulk = ifKnown(headers)?.bulk;
  return bulk !== undefined && (bulk.isBulk || bulk.mayBe);
};
