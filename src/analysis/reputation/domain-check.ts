/** The check of whether the domains in an email are on blocklists. */

import { type ListingMeaning, meaningsOf } from '../../domain/dnsbls.ts';
import { wordsStep } from '../advice/actions.ts';
import { check } from '../check.ts';
import { asSeen } from '../definition.ts';
import type { Facts } from '../facts.ts';
import { formatCount, formatList } from '../format.ts';
import { known, type LookupResult, unknown } from '../lookup-result.ts';
import { isProviderDomain } from '../names/shared-pools.ts';
import type { DomainRole } from './facts.ts';

interface Listing extends ListingMeaning {
  readonly domain: string;
  /** The role in which the email names the domain. */
  readonly as: 'own' | 'link' | 'name_server';
  /** True if many customers share the domain, so that a listing says little about this sender. */
  readonly shared: boolean;
  readonly list: string;
  readonly removalUrl: string;
}

interface Answers {
  /** True if no blocklist for domains is configured. */
  readonly none: boolean;
  readonly listings: readonly Listing[];
  readonly asked: number;
  readonly lists: readonly string[];
  readonly notChecked: readonly string[];
}

const NOTHING: Answers = { none: true, listings: [], asked: 0, lists: [], notChecked: [] };

function readAs(roles: readonly DomainRole[]): Listing['as'] {
  if (roles.some((role) => role !== 'link' && role !== 'name_server')) return 'own';
  return roles.includes('link') ? 'link' : 'name_server';
}

function readAnswers({ domainLists }: Facts): LookupResult<Answers> | undefined {
  if (domainLists === undefined) return known(NOTHING);
  if (domainLists === null) return unknown('blocklist: lists of domains: no answer in time');
  if (domainLists.length === 0) return undefined;
  const listings = domainLists.flatMap(({ domain, roles, answers }) =>
    answers.flatMap(({ list, codes, removal_url: removalUrl }) =>
      codes
        .flatMap((code) => meaningsOf(list, code))
        .map((meaning) => ({
          ...{ ...meaning, domain, list, as: readAs(roles), removalUrl: removalUrl ?? '' },
          shared: isProviderDomain(domain),
        })),
    ),
  );
  const all = domainLists.flatMap(({ answers }) => answers);
  const lists = [...new Set(all.map(({ list }) => list))];
  const silent = all.filter(({ status }) => status === 'unavailable').map(({ list }) => list);
  const notChecked = lists.filter((list) => silent.includes(list));
  return listings.length === 0 && notChecked.length === lists.length
    ? unknown(`blocklist: ${notChecked.join(', ')}: not checked`)
    : known({ none: false, listings, asked: domainLists.length, lists, notChecked });
}

const isHeld = ({ as, shared }: Listing): boolean => as !== 'name_server' && !shared;

const first = ({ listings }: Answers): Listing | undefined =>
  listings.find((one) => isHeld(one) && one.refused) ?? listings.find(isHeld) ?? listings[0];

/** Judges the answers of the domain lists in DNSBLS. An email is never refused because of these lists. */
export const domainListed = check({
  id: 'domain_listed',
  family: 'reputation',
  title: 'Domain blocklists',
  source: 'RFC 5782 §3; the return codes of each list as its owner documents them',
  about: {
    what: 'Some blocklists name domains instead of addresses: the domains of senders, of signatures, and of links in emails. This service queries the lists that its operator chose.',
    why: 'A listed domain hurts your mail whichever server sends it, and many receivers refuse mail that merely links to one.',
    how: [
      'Read what the list says about the domain, and stop or clean up what caused the listing.',
      'Remove links to a listed domain that is not yours.',
      'Then ask the list to remove the domain; the finding links to the page for that.',
    ],
    bad: 'shop.example is listed by dbl.spamhaus.org (phishing)',
    good: 'not listed by dbl.spamhaus.org',
  },
  subject: readAnswers,
  states: ({ fail, warn, info, pass }) => ({
    listed: fail(25, 59).when(
      'a domain of From, the envelope, a signature or a link is on a list that receivers use to refuse mail, and it is not shared by many customers of a provider',
      ({ listings }) => listings.some((one) => isHeld(one) && one.refused),
    ),
    counted_listed: warn(4).when(
      'on a list that only counts against mail, or the domain is shared by many customers of a provider',
      ({ listings }) => listings.some(({ as }) => as !== 'name_server'),
    ),
    neighbour_listed: info.when(
      'only the domain of a name server is listed, which other domains use too',
      ({ listings }) => listings.length > 0,
    ),
    not_checked: info.when('not checked: no list of domains is configured', ({ none }) => none),
    not_listed: pass('on none of the lists that answered'),
  }),
  detail: ({ none, listings, asked, lists, notChecked }) => {
    if (none) return 'Not checked: no list of domains is configured.';
    const answered = lists.filter((list) => !notChecked.includes(list));
    const said = [
      ...listings.map(({ domain, list, means }) => `${domain} is listed by ${list} (${means})`),
      ...(listings.length === 0
        ? [`${formatCount(asked, 'domain')}, not listed by ${answered.join(', ')}`]
        : []),
      ...(notChecked.length > 0 ? [`not checked: ${notChecked.join(', ')}`] : []),
    ];
    return `${said.join('; ')}.`;
  },
  evidence: ({ none, listings, asked, notChecked }) => ({
    configured: !none,
    listed: [...new Set(listings.map(({ domain }) => domain))],
    listed_by: [...new Set(listings.map(({ list }) => list))],
    asked,
    not_checked: notChecked,
  }),
  fix: '{listed_domain} is on a blocklist, and receivers that use the list refuse or distrust mail that names it.',
  fixes: {
    link: 'The email links to {listed_domain}, which is on a blocklist, and receivers that use the list refuse or distrust such mail.',
    shared:
      '{listed_domain} is on a blocklist. Many customers of one provider share that domain, so the listing may not be about you.',
  },
  cases: (answers) => {
    const { as = 'own', shared = false } = first(answers) ?? {};
    return asSeen(shared ? 'shared' : as);
  },
  values: ({ listings }) => ({
    listed_domain: formatList([...new Set(listings.map(({ domain }) => domain))]),
  }),
  steps: (answers) => {
    const { as, shared, domain = '', removalUrl = '' } = first(answers) ?? {};
    if (shared)
      return [
        wordsStep('content', `Use a domain you own instead of ${domain}.`, 'sender', 'domain'),
      ];
    const what =
      as === 'link'
        ? `Remove the links to ${domain}. If the domain is yours, clean it up and ask for removal: ${removalUrl}`
        : `Find and stop what caused the listing of ${domain}, then ask for removal: ${removalUrl}`;
    return [wordsStep(as === 'link' ? 'content' : 'server', what, 'sender', 'domain')];
  },
});
