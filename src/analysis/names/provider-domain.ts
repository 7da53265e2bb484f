import { isFreemail } from './freemail.ts';
import { isSharedPool } from './shared-pools.ts';

/** Whether only a provider can change the records of a domain. */
export const isProviders = (domain: string): boolean => isFreemail(domain) || isSharedPool(domain);
