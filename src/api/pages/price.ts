import { describeOffer } from '../discovery/offer.ts';
import type { ApiSettings } from '../options.ts';

/** What a report costs, as people write it; null: nothing. */
export const priceOf = ({ payment }: Pick<ApiSettings, 'payment'>): string | null =>
  payment && describeOffer(payment).price;
