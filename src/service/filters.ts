import { openFilters } from '../adapters/filters/open-filters.ts';
import type { FilterSettings } from '../domain/filter-address.ts';
import type { FilterName } from '../domain/report/filters.ts';
import { createAskFilters } from '../inspection/filters.ts';

/** Asks the operator's own filters in the way that the analysis expects. */
export const askOwnFilters = (
  settings: FilterSettings,
  onEnd: (name: FilterName, isAnswered: boolean) => void,
) => createAskFilters({ filters: openFilters(settings), runBy: 'operator', onEnd });
