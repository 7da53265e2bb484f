import { openFilters } from '../../adapters/filters/open-filters.ts';
import type { FilterSettings } from '../../domain/filter-address.ts';
import { createAskFilters } from '../../inspection/filters.ts';

/** The filters of the command line, as the analysis asks them. */
export const askNamedFilters = (named: FilterSettings) =>
  createAskFilters({ filters: openFilters(named), runBy: 'caller' });
