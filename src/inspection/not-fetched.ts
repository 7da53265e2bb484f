import { type LookupResult, unknown, unseen } from '../analysis/lookup-result.ts';
import type { FetchFailure, GuardedFetch } from '../ports/web.ts';

/** A file that could not be had, which says nothing of who serves it. */
export const notFetched = (file: string, { fault, reason }: FetchFailure): LookupResult<never> =>
  (fault === 'unopened' ? unseen : unknown)(`https: ${file}: ${reason}`);

/** Where nothing is fetched: what a file would have said is nobody's fault. */
export const unopened: GuardedFetch = async () => ({
  status: 'failed',
  fault: 'unopened',
  reason: 'not checked',
});
