import type { FilterSettings } from '../../domain/filter-address.ts';
import type { SpamFilter } from '../../ports/filters.ts';
import { createRspamd } from './rspamd.ts';
import { createSpamd } from './spamd.ts';

/** Creates a client for each spam filter that the settings name: spamd, rspamd or both. */
export const openFilters = ({ spamd, rspamd }: FilterSettings): readonly SpamFilter[] => [
  ...(spamd ? [createSpamd(spamd)] : []),
  ...(rspamd ? [createRspamd(rspamd)] : []),
];
