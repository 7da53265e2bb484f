import { findDnsbl, type ListingMeaning } from '../../domain/dnsbls.ts';
import { defineCheck } from '../define-check.ts';
import type { Facts } from '../facts.ts';
import { bothLookups, known, type LookupResult, mapLookup, unknown } from '../lookup-result.ts';
import { isPool } from './shared-pool.ts';

interface Listing extends ListingMeaning {
  readonly list: string;
  readonly removalUrl: string;
}

interface Asked {
  readonly listings: readonly Listing[];
  readonly clean: readonly string[];
  readonly notChecked: readonly string[];
}

/** What the configured lists said; `undefined`: none is configured, or none knows such addresses. */
function readAnswers({ connection: { dnsbls = [] } }: Facts): LookupResult<Asked> | undefined {
  if (dnsbls.length === 0) return undefined;
  const named = (status: string) =>
    dnsbls.filter((one) => one.status === status).map(({ list }) => list);
  const listings = dnsbls.flatMap(({ list, codes, removal_url: removalUrl }) =>
    codes.flatMap((code) => {
      const meaning = findDnsbl(list)?.codes[code];
      return meaning ? [{ ...meaning, list, removalUrl: removalUrl ?? '' }] : [];
    }),
  );
  const notChecked = named('unavailable');
  return notChecked.length === dnsbls.length
    ? unknown(`blocklist: ${notChecked.join(', ')}: not checked`)
    : known({ listings, clean: named('not_listed'), notChecked });
}

/** The answers, and whether a shared sender owns the address: asked only when it is listed. */
const withPool = (facts: Facts): LookupResult<Asked & { readonly pool: boolean }> | undefined => {
  const asked = readAnswers(facts);
  if (asked?.status !== 'known' || asked.value.listings.length === 0)
    return asked && mapLookup(asked, (value) => ({ ...value, pool: false }));
  return mapLookup(bothLookups(asked, isPool(facts)), ([value, pool]) => ({ ...value, pool }));
};

/** The lists of the setting DNSBLS; of mail they never refuse any. */
export const dnsblListed = defineCheck({
  id: 'dnsbl_listed',
  subject: withPool,
  ladder: [
    ['fail', ({ listings, pool }) => !pool && listings.some((one) => one.refused)],
    ['warn', ({ listings }) => listings.length > 0],
  ],
  detail: ({ listings, clean, notChecked, pool }, { connection: { ip } }) => {
    const said = [
      ...listings.map(({ list, means }) => `${ip} is listed by ${list} (${means})`),
      ...(pool ? ['it belongs to a shared sending pool'] : []),
      ...(clean.length > 0 ? [`not listed by ${clean.join(', ')}`] : []),
      ...(notChecked.length > 0 ? [`not checked: ${notChecked.join(', ')}`] : []),
    ];
    return `${said.join('; ')}.`;
  },
  fixes: ({ listings, pool }) => {
    if (pool) return ['pool'];
    return listings.some(({ means }) => means.startsWith('PBL')) ? ['policy'] : [];
  },
  values: ({ listings }) => ({ removal_url: listings[0]?.removalUrl ?? '' }),
});
