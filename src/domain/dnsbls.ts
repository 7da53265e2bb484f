/**
 * Lists the DNS blocklists (DNSBLs) that the service knows, with the meaning of their return codes, their
 * names to show, and the test points that show whether a list works.
 */

/** The meaning of one return code of a blocklist. */
export interface ListingMeaning {
  readonly means: string;
  /**
   * True if receivers that use the list reject email because of this code. Otherwise a listing only counts
   * against the email.
   */
  readonly refused: boolean;
}

export interface KnownDnsbl {
  readonly list: string;
  readonly ipv6: boolean;
  readonly removalUrl: string;
  /** The blocklist's terms of use, which the operator of the service must follow. */
  readonly terms?: string;
  /**
   * Only for lists of domains: a test entry that is always listed, and is looked up like any other domain.
   */
  readonly testEntry?: string;
  /** True if the bits of the last octet are separate codes, so that one answer can have several meanings. */
  readonly bits?: true;
  /**
   * Every return code that means "listed". Any other answer says nothing about the name that was looked up.
   */
  readonly codes: Readonly<Record<string, ListingMeaning>>;
}

const refused = (means: string): ListingMeaning => ({ means, refused: true });
const counted = (means: string): ListingMeaning => ({ means, refused: false });

/**
 * Return codes of Spamhaus ZEN, from docs.spamhaus.com, "Available Zones". Codes 5 to 8 are unused.
 * 127.255.255.x means that Spamhaus refused the query.
 */
const SPAMHAUS: KnownDnsbl['codes'] = {
  '127.0.0.2': refused('SBL: a source of spam'),
  '127.0.0.3': refused('CSS: sends low-reputation mail'),
  '127.0.0.4': refused('XBL: an infected or hijacked machine'),
  '127.0.0.9': refused('DROP: a network run by criminals'),
  '127.0.0.10': refused('PBL: its network says that this address should not send mail directly'),
  '127.0.0.11': refused('PBL: an address for end users, which should not send mail directly'),
  '127.0.0.30': refused('BCL: controls a botnet'),
};

/**
 * Return codes of the Spamhaus DBL, from the same page, which says that email should not be rejected because
 * of a hacked domain.
 */
const SPAMHAUS_DBL: KnownDnsbl['codes'] = {
  '127.0.1.2': refused('a domain of low reputation'),
  '127.0.1.4': refused('phishing'),
  '127.0.1.5': refused('malware'),
  '127.0.1.6': refused('controls a botnet'),
  '127.0.1.102': counted('a legitimate domain that spammers abuse'),
  '127.0.1.103': counted('a redirector that spammers abuse'),
  '127.0.1.104': counted('a legitimate domain abused for phishing'),
  '127.0.1.105': counted('a legitimate domain abused for malware'),
  '127.0.1.106': counted('a legitimate domain abused to control a botnet'),
};

/** Matches a Spamhaus zone whose name contains the operator's own key. The key is never shown. */
const SPAMHAUS_WITH_KEY = /^[a-z0-9]{10,64}\.(zen|dbl)\.dq\.spamhaus\.net$/;

const SPAMHAUS_TERMS =
  'Free for small, non-commercial use with your own resolver; otherwise it needs a key, as KEY.zen.dq.spamhaus.net: https://www.spamhaus.org/blocklists/dnsbl-fair-use-policy/';

/**
 * Blocklists whose return codes are documented. The codes of Spamhaus and Mailspike come from the rules of
 * SpamAssassin and rspamd, and those of PSBL from common Postfix setups. Barracuda returns only 127.0.0.2,
 * according to iRedMail's release notes. The codes of SURBL and URIBL come from their implementation guides,
 * where 127.0.0.1 means that the query was refused. A return code that is missing here does not count as a
 * listing.
 */
const KNOWN: readonly KnownDnsbl[] = [
  {
    list: 'zen.spamhaus.org',
    ipv6: true,
    removalUrl: 'https://check.spamhaus.org/',
    terms: SPAMHAUS_TERMS,
    codes: SPAMHAUS,
  },
  {
    list: 'b.barracudacentral.org',
    ipv6: false,
    removalUrl: 'https://www.barracudacentral.org/rbl/removal-request',
    codes: { '127.0.0.2': refused('sends spam to users of Barracuda') },
  },
  {
    list: 'psbl.surriel.com',
    ipv6: false,
    removalUrl: 'https://psbl.org/remove',
    codes: { '127.0.0.2': counted('sent mail to a spam trap') },
  },
  {
    list: 'bl.mailspike.net',
    ipv6: false,
    removalUrl: 'https://mailspike.org/iplookup.html',
    codes: {
      '127.0.0.2': counted('part of a wave of spam'),
      '127.0.0.10': counted('worst reputation'),
      '127.0.0.11': counted('very bad reputation'),
      '127.0.0.12': counted('bad reputation'),
    },
  },
  {
    list: 'dbl.spamhaus.org',
    ipv6: false,
    removalUrl: 'https://check.spamhaus.org/',
    terms: SPAMHAUS_TERMS,
    testEntry: 'dbltest.com',
    codes: SPAMHAUS_DBL,
  },
  {
    list: 'multi.surbl.org',
    ipv6: false,
    removalUrl: 'https://surbl.org/surbl-analysis',
    terms:
      'Free for fewer than 1,000 users, and not in a paid service; otherwise it needs a data feed: https://surbl.org/usage-policy',
    testEntry: 'surbl-org-permanent-test-point.com',
    bits: true,
    codes: {
      '127.0.0.8': refused('phishing'),
      '127.0.0.16': refused('malware'),
      '127.0.0.64': counted('spam links to it'),
      '127.0.0.128': counted('a hacked site'),
    },
  },
  {
    list: 'multi.uribl.com',
    ipv6: false,
    removalUrl: 'https://lookup.uribl.com/',
    terms:
      'Free for small volumes, not through a public resolver; otherwise it needs a data feed: https://uribl.com/datafeed_faq.shtml',
    testEntry: 'test.uribl.com',
    bits: true,
    codes: {
      '127.0.0.2': counted('spammers use it'),
      '127.0.0.4': counted('bulk mail that may not be wanted links to it'),
      '127.0.0.8': counted('it is new and appears in mail'),
    },
  },
];

/** The zones that the setting `DNSBLS` may contain, as its error message lists them. */
export const KNOWN_DNSBLS: readonly string[] = [
  ...KNOWN.map(({ list }) => list),
  'KEY.zen.dq.spamhaus.net',
  'KEY.dbl.dq.spamhaus.net',
];

/**
 * Returns the blocklist that a zone belongs to, or `undefined` if the meaning of the zone's answers is
 * unknown.
 */
export function findDnsbl(zone: string): KnownDnsbl | undefined {
  const [, keyed] = SPAMHAUS_WITH_KEY.exec(zone) ?? [];
  const name = keyed === undefined ? zone : `${keyed}.spamhaus.org`;
  return KNOWN.find(({ list }) => list === name);
}

/** Returns whether a zone lists domains rather than IP addresses. */
export const listsDomains = (zone: string): boolean => findDnsbl(zone)?.testEntry !== undefined;

/**
 * Returns the meanings of a return code of a known blocklist. Returns none if the code does not mean
 * "listed".
 */
export function meaningsOf(zone: string, code: string): readonly ListingMeaning[] {
  const { codes = {}, bits } = findDnsbl(zone) ?? {};
  if (bits === undefined) return Object.hasOwn(codes, code) ? [codes[code] as ListingMeaning] : [];
  const [, octet = '0'] = /^127\.0\.0\.(\d{1,3})$/.exec(code) ?? [];
  return Object.entries(codes).flatMap(([key, meaning]) =>
    (Number(key.split('.')[3]) & Number(octet)) === 0 ? [] : meaning,
  );
}

/**
 * Returns whether a return code means "listed". For an unknown blocklist, every address in 127.0.0.0/8 does,
 * with two exceptions: 127.255.255.0/24 means that the query was refused, and 127.0.0.1 is never a listing.
 */
export const isListing = (zone: string, code: string): boolean =>
  findDnsbl(zone)
    ? meaningsOf(zone, code).length > 0
    : /^127\.(?!255\.255\.)(?!0\.0\.1$)/.test(code);

/** Returns the name of a blocklist zone without the operator's key, so that it may be shown. */
export const nameOf = (zone: string): string => findDnsbl(zone)?.list ?? zone;

/** Returns the name whose lookup shows whether a blocklist works (RFC 5782 §5). */
export const testPointOf = (zone: string): string =>
  `${findDnsbl(zone)?.testEntry ?? '2.0.0.127'}.${zone}`;
