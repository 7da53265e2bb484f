/** Defines the checks on the HELO name and on TLS for the sending connection. */

import { isSameAddress } from '../addresses.ts';
import { serverStep } from '../advice/actions.ts';
import { check } from '../check.ts';
import { asSeen } from '../definition.ts';
import type { Facts } from '../facts.ts';
import { ifKnown, known, type LookupResult, mapLookup, unknown } from '../lookup-result.ts';
import { sameOrganization } from '../names/domain-names.ts';
import { isGenericName } from '../names/generic-name.ts';
import { heloName, isPublicHost, ofPublicIp } from '../names/host-name.ts';
import type { ConnectionFacts } from './facts.ts';
import { heloCause, heloNameSteps } from './fixes.ts';

type Helo = 'unusable' | 'literal' | 'unresolved' | 'resolves';

const withHelo = ({ connection }: Facts): LookupResult<string> =>
  connection.helo === null
    ? unknown('connection: the HELO name is not known')
    : known(connection.helo);

const isLiteral = (helo: string): boolean => /^\[.+\]$/.test(helo);

/**
 * Returns the address inside an address literal, such as `[192.0.2.1]` or `[IPv6:2001:db8::1]` (RFC 5321
 * §4.1.3).
 */
const literalAddress = (helo: string): string => helo.slice(1, -1).replace(/^ipv6:/i, '');

/**
 * Returns what kind of name HELO gave, and whether it resolves. Only names that can have an address are
 * looked up in the DNS.
 */
function judgeHelo({ connection }: Facts, helo: string): LookupResult<Helo> {
  if (isLiteral(helo)) return known('literal');
  if (!isPublicHost(helo)) return known('unusable');
  return mapLookup(connection.heloAddresses, (addresses) =>
    addresses && addresses.length > 0 ? 'resolves' : 'unresolved',
  );
}

const HELO_TEXT: Readonly<Record<Helo, string>> = {
  unusable: 'is not a host name',
  literal: 'is an address literal',
  unresolved: 'does not resolve to an address',
  resolves: 'resolves',
};

export const heloValid = check({
  id: 'helo_valid',
  family: 'helo',
  opensOn: ['warn', 'pass'],
  title: 'HELO/EHLO name',
  source: 'RFC 5321 §2.3.5, §4.1.4; SpamAssassin HELO_LOCALHOST; rspamd HFILTER_HELO_*',
  about: {
    what: 'When a mail server connects, it greets the receiver with its own name (HELO or EHLO).',
    why: 'Spam software often greets with a made-up name, so many servers refuse a name that is not a full host name.',
    how: [
      "Set the host name in the settings of your mail server, for example smtp_helo_name in Postfix or the send connector's FQDN in Exchange.",
    ],
    bad: 'EHLO localhost',
    good: 'EHLO mail.example.com',
  },
  subject: (facts) => {
    const helo = withHelo(facts);
    return helo.status === 'known' ? judgeHelo(facts, helo.value) : helo;
  },
  states: ({ fail, warn, pass }) => ({
    invalid: fail(5).when(
      'bare IP, localhost, single label, underscore, .local',
      (helo) => helo === 'unusable',
    ),
    unresolvable: warn(2).when(
      'an address literal [ip], or a name that does not resolve to A/AAAA',
      (helo) => helo === 'literal' || helo === 'unresolved',
    ),
    resolvable: pass('FQDN that resolves'),
  }),
  detail: (helo, { connection }) => `${connection.helo || 'The HELO name'} ${HELO_TEXT[helo]}.`,
  evidence: (helo, { connection }) => ({ helo: connection.helo, state: helo }),
  fix: 'The name your server gives in HELO cannot be used outside your network.',
  fixes: {
    unresolved: 'The name your server gives in HELO, {helo}, does not resolve to an address.',
  },
  cases: (helo) => asSeen(helo),
  cause: (_, facts) => heloCause(facts),
  steps: (_, facts) => heloNameSteps(facts),
});

/** Returns whether the HELO name resolves to the sending IP. The result is unknown if the lookup failed. */
export const heloResolvesToIp = ({
  connection: { ip, heloAddresses },
}: Facts): LookupResult<boolean> =>
  ip === null
    ? unknown('connection: the sending IP is not known')
    : mapLookup(
        heloAddresses,
        (addresses) => addresses?.some((address) => isSameAddress(address, ip)) ?? false,
      );

/**
 * Returns whether the HELO name matches the sending IP: it resolves to the IP, is one of the IP's PTR names,
 * or is an address literal of that IP.
 */
export function heloMatches(facts: Facts): LookupResult<boolean> {
  const { helo, ip, ptr } = facts.connection;
  if (ip !== null && helo !== null && isLiteral(helo))
    return known(isSameAddress(literalAddress(helo), ip));
  const named = ifKnown(ptr)?.some((name) => name.toLowerCase() === helo?.toLowerCase());
  if (named) return known(true);
  const resolves = heloResolvesToIp(facts);
  // One of the two matches is enough, so an unknown PTR lookup matters only if the HELO name does not resolve
  // to the IP.
  return ofPublicIp(facts, ifKnown(resolves) || ptr.status === 'known' ? resolves : ptr);
}

/**
 * Returns whether the HELO name matches the sending IP, and the confirmed PTR names if all of them belong to
 * other organizations. Generic names, which a network assigns to all of its addresses, do not count as
 * another organization's.
 */
function judgeMatch(facts: Facts) {
  const { helo, ip, forward } = facts.connection;
  return mapLookup(heloMatches(facts), (matches) => {
    const names = ifKnown(forward)?.confirmedNames ?? [];
    const name = heloName(helo);
    const isOther = (one: string) => !sameOrganization(one, name) && !isGenericName(one, ip);
    const strangers = matches && !isLiteral(name) && names.every(isOther) ? names : [];
    return { matches, strangers };
  });
}

export const heloMatchesPtr = check({
  id: 'helo_matches_ptr',
  family: 'helo',
  gate: 'helo_valid',
  title: 'HELO name and reverse DNS',
  source: 'RFC 5321 §4.1.4',
  about: {
    what: 'The name that your server gives in HELO should resolve to its address.',
    why: 'It is one more sign of a carefully configured server. On its own, a mismatch costs little.',
    how: [
      'Set the HELO name to the reverse name (PTR) of the address.',
      'Or publish an A record with the address at the HELO name.',
    ],
    bad: 'EHLO web1.example.com   (resolves to another address)',
    good: 'EHLO mail.example.com   (resolves to 192.0.2.25)',
  },
  subject: judgeMatch,
  states: ({ warn, info, pass }) => ({
    mismatch: warn(1).when(
      'the HELO name does not resolve to the IP and matches no PTR name',
      ({ matches }) => !matches,
    ),
    other_organization: info.when(
      'it resolves to the IP, but all confirmed reverse names belong to another organization',
      ({ strangers }) => strangers.length > 0,
    ),
    match: pass('they match'),
  }),
  detail: ({ matches, strangers }, { connection: { helo, ip } }) => {
    if (!matches) return `${helo} does not resolve to ${ip} and is not one of its PTR names.`;
    return strangers.length > 0
      ? `${helo} resolves to ${ip}, whose reverse name (PTR) belongs to another organization: ${strangers.join(', ')}.`
      : `${helo} is the name of ${ip}.`;
  },
  evidence: ({ matches, strangers }, { connection: { helo, ip } }) => ({
    ...{ matches, helo, ip },
    foreign_ptr: strangers,
  }),
  fix: 'The name your server gives in HELO, {helo}, does not resolve to its address.',
  cause: (_, facts) => heloCause(facts),
  steps: (_, facts) => heloNameSteps(facts),
});

type Tls = ConnectionFacts['tls'];

/** Returns whether the connection used SSL, TLS 1.0 or TLS 1.1, which must not be used (RFC 8996). */
const isOldTls = ({ status, version }: Tls): boolean =>
  status === 'tls' && /^(?:TLSv1(?:\.[01])?|SSLv[23])$/i.test(version ?? '');

export const connectionTls = check({
  id: 'connection_tls',
  family: 'tls',
  title: 'TLS on the sending connection',
  source: 'RFC 3207; Gmail all-sender rule',
  about: {
    what: 'Mail servers can use TLS to encrypt the connection over which they send an email.',
    why: 'Gmail requires it of all senders, and shows an open red lock on email that was not encrypted.',
    how: [
      'Turn on opportunistic TLS for outbound mail. In Postfix, set smtp_tls_security_level = may; sending platforms have it on already.',
    ],
    bad: 'no encryption (no STARTTLS)',
    good: 'TLSv1.3',
  },
  subject: ({ connection: { tls } }) => known(tls),
  states: ({ fail, warn, info, pass }) => ({
    plaintext: fail(4).when(
      'sent without encryption although STARTTLS was offered',
      ({ status }) => status === 'plaintext',
    ),
    outdated: warn(1).when('TLS 1.0 or 1.1', isOldTls),
    not_observable: info.when(
      'not observable: an inbound provider, or a relay in front that does not report it',
      ({ status }) => status === 'not_observable',
    ),
    current: pass('TLS 1.2 or later'),
  }),
  detail: ({ status, version, cipher }) => {
    if (status === 'plaintext') return 'STARTTLS was offered, but the email arrived unencrypted.';
    if (status === 'not_observable') return 'Not observable: a relay accepted the email first.';
    return `${[version ?? 'TLS', cipher].filter(Boolean).join(', ')}.`;
  },
  evidence: ({ status, version, cipher }) => ({ status, version, cipher }),
  fix: 'Your server sent this email without encryption although encryption was offered.',
  fixes: {
    old: 'Your server used a TLS version that is no longer safe.',
  },
  cases: (tls) => (isOldTls(tls) ? ['old'] : []),
  steps: (tls) => [
    isOldTls(tls) ? serverStep('tls.protocols', '>=TLSv1.2') : serverStep('tls.outbound', 'may'),
  ],
});
