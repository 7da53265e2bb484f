import { openFilters } from '../../adapters/filters/open-filters.ts';
import type { FilterSettings } from '../../domain/filter-address.ts';
import { createAskFilters } from '../../inspection/filters.ts';

/** Creates the function through which the analysis queries the spam filters that the command line names. */
export const askNamedFilters = (named: FilterSettings) =>
  createAskFilters({ filters: openFilters(named), runBy: 'caller' });
