import { checks } from '../analysis/checks.ts';

/**
 * The id of every finding, with the id of the finding that it depends on, if any. The packer replaces this
 * module with the computed values, so that commands which judge no email do not include the checks.
 */
export const GATES: ReadonlyMap<string, string | undefined> = new Map(
  checks.map(({ id, gate }) => [id, gate]),
);
