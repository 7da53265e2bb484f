import { openFilters } from '../adapters/filters/open-filters.ts';
import type { FilterSettings } from '../domain/filter-address.ts';
import type { FilterName } from '../domain/report/filters.ts';
import { createAskFilters } from '../inspection/filters.ts';

/** Creates the function with which the analysis asks the operator's spam filters (SpamAssassin, rspamd). */
export const askOwnFilters = (
  settings: FilterSettings,
  onEnd: (name: FilterName, isAnswered: boolean) => void,
) => createAskFilters({ filters: openFilters(settings), runBy: 'operator', onEnd });
