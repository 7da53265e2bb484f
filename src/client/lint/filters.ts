import { openFilters } from '../../adapters/filters/open-filters.ts';
import type { FilterSettings } from '../../domain/filter-address.ts';
import { createAskFilters } from '../../inspection/filters.ts';

/** Asks the filters that the command line names, in the way the analysis expects. */
export const askNamedFilters = (named: FilterSettings) =>
  createAskFilters({ filters: openFilters(named), runBy: 'caller' });
