import type { Facts } from '../facts.ts';
import { ifKnown } from '../lookup-result.ts';

/** Whether the email goes to many, surely or perhaps: what only senders of bulk mail need is not for others. */
export const goesToMany = ({ headers }: Facts): boolean => {
  const bulk = ifKnown(headers)?.bulk;
  return bulk !== undefined && (bulk.isBulk || bulk.mayBe);
};
