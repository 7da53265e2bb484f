/** The checks of whether the sending IP is on blocklists. */

import { type ListingMeaning, meaningsOf } from '../../domain/dnsbls.ts';
import { check } from '../check.ts';
import { heloResolvesToIp } from '../connection/helo-and-tls-checks.ts';
import type { Facts } from '../facts.ts';
import {
  bothLookups,
  ifKnown,
  known,
  type LookupResult,
  mapLookup,
  thenLookup,
  unknown,
} from '../lookup-result.ts';
import { isSharedPool } from '../names/shared-pools.ts';

/**
 * Returns whether a confirmed name of the sending IP belongs to a large shared sender. The result is unknown,
 * not "no", if a lookup that could confirm such a name failed.
 */
function isPool(facts: Facts): LookupResult<boolean> {
  const { forward, helo } = facts.connection;
  const heloConfirmed = heloResolvesToIp(facts);
  const names = [
    ...(ifKnown(forward)?.confirmedNames ?? []),
    ...(ifKnown(heloConfirmed) && helo ? [helo] : []),
  ];
  if (names.some(isSharedPool)) return known(true);
  if (forward.status === 'unknown') return forward;
  return heloConfirmed.status === 'unknown' && helo && isSharedPool(helo)
    ? heloConfirmed
    : known(false);
}

/** Does not apply to IPv6 and private addresses, for which SpamCop has no list. */
export const spamcopListed = check({
  id: 'spamcop_listed',
  family: 'reputation',
  title: 'SpamCop blocklist',
  source: 'bl.spamcop.net',
  about: {
    what: 'SpamCop is a blocklist of IP addresses from which people have reported spam.',
    why: 'Many servers refuse mail from listed addresses.',
    how: [
      'Find the mail that was reported and stop it. It often comes from a purchased list, an outdated list or a hacked account.',
      'The listing ends on its own about a day after the last report.',
    ],
    bad: '192.0.2.25 is listed at bl.spamcop.net',
    good: '192.0.2.25 is not listed',
  },
  subject: (facts) =>
    thenLookup(
      facts.connection.spamcop,
      (state): LookupResult<'own' | 'pool' | 'clean'> | undefined => {
        if (state === 'not_applicable') return undefined;
        if (state === 'not_listed') return known('clean');
        return mapLookup(isPool(facts), (pool) => (pool ? 'pool' : 'own'));
      },
    ),
  states: ({ fail, warn, pass }) => ({
    listed: fail(25, 59).when(
      'listed (exactly 127.0.0.2), and the IP does not belong to a known shared sending pool',
      (state) => state === 'own',
    ),
    shared_pool_listed: warn(4).when(
      'listed, but a forward-confirmed name of the IP belongs to a known large shared pool: the provider owns the IP',
      (state) => state === 'pool',
    ),
    not_listed: pass('not listed'),
  }),
  detail: (state, { connection: { ip } }) =>
    state === 'clean'
      ? `${ip} is not listed.`
      : `${ip} is listed${state === 'pool' ? '; it belongs to a shared sending pool' : ''}.`,
  evidence: (state, { connection: { ip } }) => ({
    ip,
    listed: state !== 'clean',
    shared_pool: state === 'pool',
  }),
  fix: {
    why: 'SpamCop lists {ip} because people reported mail from it. The listing ends on its own about 24 hours after the last report: https://www.spamcop.net/bl.shtml.',
    do: 'Find the reported mail and stop it.',
  },
  fixes: {
    pool: {
      why: 'SpamCop lists {ip}, an address of a shared pool. The listing ends on its own about 24 hours after the last report: https://www.spamcop.net/bl.shtml.',
      do: 'Ask your provider for another pool or a dedicated IP address.',
    },
  },
  cases: (state) => (state === 'pool' ? ['pool'] : []),
});

export const SEND_AS_OWN = 'Send from an address at a domain that you own and that accepts mail.';

interface Listing extends ListingMeaning {
  readonly list: string;
  readonly removalUrl: string;
}

interface Asked {
  readonly listings: readonly Listing[];
  readonly clean: readonly string[];
  readonly notChecked: readonly string[];
}

/**
 * Returns the answers of the configured blocklists, or `undefined` if none is configured or none covers this
 * kind of address.
 */
function readAnswers({ connection: { dnsbls = [] } }: Facts): LookupResult<Asked> | undefined {
  if (dnsbls.length === 0) return undefined;
  const named = (status: string) =>
    dnsbls.filter((one) => one.status === status).map(({ list }) => list);
  const listings = dnsbls.flatMap(({ list, codes, removal_url: removalUrl }) =>
    codes
      .flatMap((code) => meaningsOf(list, code))
      .map((meaning) => ({ ...meaning, list, removalUrl: removalUrl ?? '' })),
  );
  const notChecked = named('unavailable');
  return notChecked.length === dnsbls.length
    ? unknown(`blocklist: ${notChecked.join(', ')}: not checked`)
    : known({ listings, clean: named('not_listed'), notChecked });
}

/**
 * Returns the answers of the blocklists, and whether the address belongs to a shared sender, which matters
 * only if it is listed.
 */
const withPool = (facts: Facts): LookupResult<Asked & { readonly pool: boolean }> | undefined => {
  const asked = readAnswers(facts);
  if (asked?.status !== 'known' || asked.value.listings.length === 0)
    return asked && mapLookup(asked, (value) => ({ ...value, pool: false }));
  return mapLookup(bothLookups(asked, isPool(facts)), ([value, pool]) => ({ ...value, pool }));
};

/**
 * Judges the answers of the blocklists in the setting DNSBLS. An email is never refused because of these
 * lists.
 */
export const dnsblListed = check({
  id: 'dnsbl_listed',
  family: 'reputation',
  title: 'Other blocklists',
  source: 'RFC 5782; the return codes of each list as its owner documents them',
  about: {
    what: 'Blocklists name IP addresses that send spam, belong to infected machines, or should not send mail directly. This service queries the lists that its operator chose.',
    why: 'Many servers refuse mail from addresses on Spamhaus or Barracuda; other lists only count against an email.',
    how: [
      'Read what the list says about the address, and stop what caused the listing.',
      "If it is an address for end users (PBL), send through your provider's mail server.",
      'Then ask the list to remove the address; the finding links to the page for that.',
    ],
    bad: '192.0.2.25 is listed by zen.spamhaus.org (XBL: an infected or hijacked machine)',
    good: 'not listed by zen.spamhaus.org',
  },
  subject: withPool,
  states: ({ fail, warn, pass }) => ({
    listed: fail(25, 59).when(
      'on a list that receivers use to refuse mail (Spamhaus ZEN, Barracuda), and the IP does not belong to a known shared sending pool',
      ({ listings, pool }) => !pool && listings.some((one) => one.refused),
    ),
    counted_listed: warn(4).when(
      'on a list that only counts against mail, or the IP belongs to a known shared pool',
      ({ listings }) => listings.length > 0,
    ),
    not_listed: pass(
      'on none of the lists in DNSBLS that answered; an undocumented code is not a listing',
    ),
  }),
  detail: ({ listings, clean, notChecked, pool }, { connection: { ip } }) => {
    const said = [
      ...listings.map(({ list, means }) => `${ip} is listed by ${list} (${means})`),
      ...(pool ? ['it belongs to a shared sending pool'] : []),
      ...(clean.length > 0 ? [`not listed by ${clean.join(', ')}`] : []),
      ...(notChecked.length > 0 ? [`not checked: ${notChecked.join(', ')}`] : []),
    ];
    return `${said.join('; ')}.`;
  },
  evidence: ({ listings, clean, notChecked, pool }, { connection: { ip } }) => ({
    ip,
    listed_by: listings.map(({ list }) => list),
    not_listed_by: clean,
    not_checked: notChecked,
    shared_pool: pool,
  }),
  fix: {
    why: 'Receivers that use this list refuse or distrust mail from {ip}.',
    do: 'Find and stop the mail that caused the listing, then ask for removal: {removal_url}',
  },
  fixes: {
    policy: {
      why: 'A blocklist names {ip} as an address that should not send mail directly, and receivers that use the list refuse its mail.',
      do: "Send through your provider's mail server, or, if this is your own mail server, ask for removal: {removal_url}",
    },
    pool: {
      why: '{ip} is on a blocklist, and it belongs to a shared pool.',
      do: 'Ask your provider for another pool or a dedicated IP address.',
    },
  },
  cases: ({ listings, pool }) => {
    if (pool) return ['pool'];
    return listings.some(({ means }) => means.startsWith('PBL')) ? ['policy'] : [];
  },
  values: ({ listings }) => ({ removal_url: listings[0]?.removalUrl ?? '' }),
});
