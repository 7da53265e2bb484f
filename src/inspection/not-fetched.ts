import { type LookupResult, unknown, unseen } from '../analysis/lookup-result.ts';
import type { FetchFailure, GuardedFetch } from '../ports/web.ts';

/** Says that a file could not be fetched, without revealing anything about the server. */
export const notFetched = (file: string, { fault, reason }: FetchFailure): LookupResult<never> =>
  (fault === 'unopened' ? unseen : unknown)(`https: ${file}: ${reason}`);

/** Used if nothing is fetched. Nobody is to blame for the unknown content of a file. */
export const unopened: GuardedFetch = async () => ({
  status: 'failed',
  fault: 'unopened',
  reason: 'not checked',
});
