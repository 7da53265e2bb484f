/**
 * Starts the lookups that need only the connection and the envelope of an email: reverse DNS, HELO, SPF, MX
 * and blocklists.
 */

import { isSameAddress } from '../analysis/addresses.ts';
import type { ConnectionFacts } from '../analysis/connection/facts.ts';
import { known, type LookupResult, unknown } from '../analysis/lookup-result.ts';
import type { Names } from '../analysis/names/facts.ts';
import { heloName, reverseName } from '../analysis/names/host-name.ts';
import type { ListingFacts } from '../analysis/reputation/facts.ts';
import type { SpfFacts } from '../analysis/spf/facts.ts';
import type { CheckHost } from '../ports/check-host.ts';
import type { Resolver } from '../ports/dns.ts';
import type { ClientFacts, EnvelopeFrom } from '../ports/mail.ts';
import type { Blocklists } from './blocklists.ts';
import { orElse, within } from './deadlines.ts';
import { isDomainName, lookUpAddresses, recordsOf } from './dns-results.ts';
import { lookUpMailHosts, lookUpMxHosts } from './mail-hosts.ts';
import { aboutOf, lookUpSpf } from './spf.ts';
import type { SpfAbout } from './spf-target.ts';

/**
 * Maximum number of PTR names whose addresses are looked up. An address with more is a mistake or an attack.
 */
const MAX_NAMES = 10;

const NO_IP = unknown('connection: the sending IP is not known');

type ReverseFacts = Pick<ConnectionFacts, 'ptr' | 'forward'>;

/** Looks up the PTR names of an address and, for the first ten, their own addresses (RFC 8601 §3). */
async function lookUpReverse(resolver: Resolver, ip: string | null): Promise<ReverseFacts> {
  const reverse = ip === null ? null : reverseName(ip);
  if (ip === null || reverse === null) return { ptr: NO_IP, forward: NO_IP };
  const ptr = recordsOf('PTR', reverse, await resolver.names(reverse, 'PTR'));
  if (ptr.status === 'unknown') return { ptr, forward: ptr };

  const names = [...new Set(ptr.value.map((name) => name.toLowerCase()))];
  const lookups = await Promise.all(
    names.slice(0, MAX_NAMES).map(async (name) => ({
      name,
      addresses: await lookUpAddresses(resolver, name, ip),
    })),
  );
  return { ptr: known(names), forward: confirm(lookups, ip) };
}

function confirm(
  lookups: readonly {
    readonly name: string;
    readonly addresses: LookupResult<readonly string[]>;
  }[],
  ip: string,
): ConnectionFacts['forward'] {
  const addresses: Record<string, readonly string[]> = Object.create(null);
  const confirmedNames: string[] = [];
  for (const { name, addresses: all } of lookups) {
    if (all.status === 'unknown') continue;
    addresses[name] = all.value;
    if (all.value.some((address) => isSameAddress(address, ip))) confirmedNames.push(name);
  }
  const confirmed = confirmedNames.length > 0;
  const failed = lookups.find(({ addresses: all }) => all.status === 'unknown')?.addresses;
  if (!confirmed && failed?.status === 'unknown') return failed;
  return known({ addresses: { ...addresses }, confirmed, confirmedNames });
}

/** Looks up the addresses of the HELO name. Resolves with null if it is not a host name. */
async function lookUpHelo(
  resolver: Resolver,
  { helo, ip }: ClientFacts,
): Promise<LookupResult<readonly string[] | null>> {
  const name = heloName(helo);
  // The name may also be a literal in brackets (RFC 5321 §4.1.1.1).
  if (!isDomainName(name)) return known(null);
  return lookUpAddresses(resolver, name, ip);
}

/** Time limits in milliseconds, after which a result counts as unknown. */
const REVERSE_MS = 5000;
const SPF_MS = 10_000;
const MX_MS = 5000;

/** Facts that are known before the email arrives: the transaction, and the results of its lookups. */
export interface AtRcpt {
  readonly client: ClientFacts;
  readonly from: EnvelopeFrom;
  readonly nullSender: boolean;
  /** Domain of the envelope sender, or the HELO name for the null sender (RFC 7208 §2.4). */
  readonly envelopeDomain: string;
  readonly reverse: Promise<ReverseFacts>;
  readonly heloAddresses: Promise<ConnectionFacts['heloAddresses']>;
  readonly spf: Promise<LookupResult<SpfFacts>>;
  /**
   * Needed to evaluate SPF records that are not published, such as a corrected one. Null if the sending IP
   * address is unknown.
   */
  readonly spfAbout: SpfAbout | null;
  /** MX hosts of the envelope domain. Null for the null sender, and for a sender at an address literal. */
  readonly envelopeMx: Promise<Names['envelopeMx']>;
  readonly envelopeMxHosts: Promise<Names['mxHosts']>;
  readonly spamcop: Promise<ListingFacts['spamcop']>;
  readonly blocklists: Promise<readonly ListingFacts['blocklists'][number][]>;
  /** Answers of the lists in DNSBLS, for which the verdict does not wait. */
  readonly dnsbls: Promise<readonly ListingFacts['blocklists'][number][]>;
}

/** Starts everything that needs only the connection and the envelope, in parallel. */
export function inspectAtRcpt(
  ports: {
    readonly resolver: Resolver;
    readonly checkHost: CheckHost;
    readonly blocklists: Blocklists;
  },
  client: ClientFacts,
  from: EnvelopeFrom,
): AtRcpt {
  const { resolver, blocklists } = ports;
  const { ip, helo } = client;
  const nullSender = from.domain === '';
  const noNames = unknown('dns: reverse names of the sending IP: no answer in time');
  const envelopeMx: AtRcpt['envelopeMx'] = isDomainName(from.domain)
    ? within('dns: MX of the envelope domain', MX_MS, lookUpMailHosts(resolver, from.domain))
    : Promise.resolve(null);
  const { localPart, domain } = from;
  const spfAbout = ip === null ? null : aboutOf(ports, { ip, helo, localPart, domain });
  return {
    client,
    from,
    nullSender,
    envelopeDomain: nullSender ? heloName(helo) : domain,
    reverse: orElse(REVERSE_MS, lookUpReverse(resolver, ip), { ptr: noNames, forward: noNames }),
    heloAddresses: within('dns: addresses of HELO', REVERSE_MS, lookUpHelo(resolver, client)),
    spfAbout,
    spf:
      spfAbout === null
        ? Promise.resolve(unknown('connection: the sending IP is not known'))
        : within('dns: SPF', SPF_MS, lookUpSpf(resolver, spfAbout, { nullSender, helo })),
    envelopeMx,
    envelopeMxHosts: orElse(
      MX_MS,
      envelopeMx.then((mailHosts) => lookUpMxHosts(resolver, from.domain, mailHosts)),
      {},
    ),
    spamcop: blocklists.spamcop(resolver, ip),
    blocklists: blocklists.refusing(resolver, ip),
    dnsbls: blocklists.configured(resolver, ip),
  };
}
