import { checks } from '../analysis/checks.ts';

/**
 * Every finding by its id, with the finding that it waits for. The packer replaces this module with these
 * values, so that a command that judges no email contains no checks.
 */
export const GATES: ReadonlyMap<string, string | undefined> = new Map(
  checks.map(({ id, gate }) => [id, gate]),
);
