import type { FilterSettings } from '../../domain/filter-address.ts';
import type { SpamFilter } from '../../ports/filters.ts';
import { createRspamd } from './rspamd.ts';
import { createSpamd } from './spamd.ts';

/** Opens the filters that are named. */
export const openFilters = ({ spamd, rspamd }: FilterSettings): readonly SpamFilter[] => [
  ...(spamd ? [createSpamd(spamd)] : []),
  ...(rspamd ? [createRspamd(rspamd)] : []),
];
