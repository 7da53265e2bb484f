import { type LookupResult, unknown, unseen } from '../analysis/lookup-result.ts';
import type { FetchFailure, GuardedFetch } from '../ports/web.ts';

/** Says that a file could not be fetched, without revealing anything about who serves it. */
export const notFetched = (file: string, { fault, reason }: FetchFailure): LookupResult<never> =>
  (fault === 'unopened' ? unseen : unknown)(`https: ${file}: ${reason}`);

/** Used where nothing is fetched. Nobody is to blame for what a file would have said. */
export const unopened: GuardedFetch = async () => ({
  status: 'failed',
  fault: 'unopened',
  reason: 'not checked',
});
