/**
 * Defines the result for a file that could not be fetched, and a stand-in for the fetch that opens no file.
 */

import { type LookupResult, unknown, unseen } from '../analysis/lookup-result.ts';
import type { FetchFailure, GuardedFetch } from '../ports/web.ts';

/** Returns the result for a file that could not be fetched, without revealing anything about the server. */
export const notFetched = (file: string, { fault, reason }: FetchFailure): LookupResult<never> =>
  (fault === 'unopened' ? unseen : unknown)(`https: ${file}: ${reason}`);

/**
 * Stands in for the real fetch if no file is to be fetched. The content is then unknown, and nobody is to
 * blame for that.
 */
export const unopened: GuardedFetch = async () => ({
  status: 'failed',
  fault: 'unopened',
  reason: 'not checked',
});
