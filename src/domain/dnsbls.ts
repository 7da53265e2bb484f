/** What one return code of a blocklist says. */
export interface ListingMeaning {
  readonly means: string;
  /** Receivers that use the list refuse mail for it; otherwise it only counts against the mail. */
  readonly refused: boolean;
}

export interface KnownDnsbl {
  readonly list: string;
  readonly ipv6: boolean;
  readonly removalUrl: string;
  /** Every code that says "listed"; any other answer says nothing of the address. */
  readonly codes: Readonly<Record<string, ListingMeaning>>;
}

const refused = (means: string): ListingMeaning => ({ means, refused: true });
const counted = (means: string): ListingMeaning => ({ means, refused: false });

const XBL = refused('XBL: an infected or hijacked machine');

/**
 * docs.spamhaus.com, "Available Zones"; its own rules for SpamAssassin take 2 to 11 for ZEN. 127.255.255.x
 * says that the query was refused.
 */
const SPAMHAUS: KnownDnsbl['codes'] = {
  '127.0.0.2': refused('SBL: a source of spam'),
  '127.0.0.3': refused('CSS: sends low-reputation mail'),
  '127.0.0.4': XBL,
  '127.0.0.5': XBL,
  '127.0.0.6': XBL,
  '127.0.0.7': XBL,
  '127.0.0.9': refused('DROP: a network run by criminals'),
  '127.0.0.10': refused('PBL: its network says that it should not send mail directly'),
  '127.0.0.11': refused('PBL: an address for end users, which should not send mail directly'),
};

const ZEN = 'zen.spamhaus.org';

/** With a key of the operator's own, which is shown nowhere. */
const ZEN_WITH_KEY = /^[a-z0-9]{10,64}\.zen\.dq\.spamhaus\.net$/;

/**
 * The lists whose answers are documented: Spamhaus and Mailspike by rules for SpamAssassin and rspamd;
 * Barracuda answers 127.0.0.2 alone, as iRedMail's release notes say; PSBL as set-ups of Postfix take
 * it. An answer that is not here is not a listing.
 */
const KNOWN: readonly KnownDnsbl[] = [
  { list: ZEN, ipv6: true, removalUrl: 'https://check.spamhaus.org/', codes: SPAMHAUS },
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
];

/** The names that `DNSBLS` may hold, for the text of an error. */
export const KNOWN_DNSBLS: readonly string[] = [
  ...KNOWN.map(({ list }) => list),
  'KEY.zen.dq.spamhaus.net',
];

/** What is known of a zone; `undefined`: nobody knows what its answers mean. */
export const findDnsbl = (zone: string): KnownDnsbl | undefined =>
  KNOWN.find(({ list }) => list === (ZEN_WITH_KEY.test(zone) ? ZEN : zone));

/** How a zone is called in front of others: without the key of its operator. */
export const nameOf = (zone: string): string => findDnsbl(zone)?.list ?? zone;
