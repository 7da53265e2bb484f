import { type LookupResult, unknown, unseen } from '../analysis/lookup-result.ts';
import type { FetchFailure, GuardedFetch } from '../ports/web.ts';

/** Says that a file could not be fetched, which reveals nothing about whoever serves it. */
export const notFetched = (file: string, { fault, reason }: FetchFailure): LookupResult<never> =>
  (fault === 'unopened' ? unseen : unknown)(`https: ${file}: ${reason}`);

/** Used where nothing is fetched: what a file would have said is nobody's fault. */
export const unopened: GuardedFetch = async () => ({
  status: 'failed',
  fault: 'unopened',
  reason: 'not checked',
});
