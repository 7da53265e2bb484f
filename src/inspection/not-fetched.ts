import { type LookupResult, unknown, unseen } from '../analysis/lookup-result.ts';
import type { FetchFailure } from '../ports/web.ts';

/** A file that could not be had, which says nothing of who serves it. */
export const notFetched = (file: string, { fault, reason }: FetchFailure): LookupResult<never> =>
  (fault === 'unopened' ? unseen : unknown)(`https: ${file}: ${reason}`);
