import { checks } from '../analysis/checks.ts';

/**
 * Every finding by its id, with the one that it waits for. The packer writes these values in the place
 * of this module, so that a command which judges no mail carries no checks.
 */
export const GATES: ReadonlyMap<string, string | undefined> = new Map(
  checks.map(({ id, gate }) => [id, gate]),
);
