import { isSameAddress } from '../addresses.ts';
import { serverStep } from '../advice/actions.ts';
import { defineCheck } from '../define-check.ts';
import type { ConnectionFacts, Facts } from '../facts.ts';
import { ifKnown, known, type LookupResult, mapLookup, unknown } from '../lookup-result.ts';
import { isPublicHost } from '../names/host-name.ts';
import { ofPublicIp } from '../names/sending-ip.ts';
import { heloCause, heloNameSteps } from './fixes.ts';

type Helo = 'unusable' | 'literal' | 'unresolved' | 'resolves';

const withHelo = ({ connection }: Facts): LookupResult<string> =>
  connection.helo === null
    ? unknown('connection: the HELO name is not known')
    : known(connection.helo);

const isLiteral = (helo: string): boolean => /^\[.+\]$/.test(helo);

/** RFC 5321 §4.1.3: `[192.0.2.1]` or `[IPv6:2001:db8::1]`. */
const literalAddress = (helo: string): string => helo.slice(1, -1).replace(/^ipv6:/i, '');

/** What kind of name it is; DNS is asked only for those that can have an address. */
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

export const heloValid = defineCheck({
  id: 'helo_valid',
  subject: (facts) => {
    const helo = withHelo(facts);
    return helo.status === 'known' ? judgeHelo(facts, helo.value) : helo;
  },
  ladder: [
    ['fail', (helo) => helo === 'unusable'],
    ['warn', (helo) => helo === 'literal' || helo === 'unresolved'],
  ],
  detail: (helo, { connection }) => `${connection.helo || 'The HELO name'} ${HELO_TEXT[helo]}.`,
  fixes: (helo) => [helo],
  cause: (_, facts) => heloCause(facts),
  steps: (_, facts) => heloNameSteps(facts),
});

/** Whether the HELO name resolves to the sending address; unknown when its lookup failed. */
export const heloResolvesToIp = ({
  connection: { ip, heloAddresses },
}: Facts): LookupResult<boolean> =>
  ip === null
    ? unknown('connection: the sending IP is not known')
    : mapLookup(
        heloAddresses,
        (addresses) => addresses?.some((address) => isSameAddress(address, ip)) ?? false,
      );

/** Whether the HELO name agrees with the address: by its own records, or as one of the PTR names. */
export function heloMatches(facts: Facts): LookupResult<boolean> {
  const { helo, ip, ptr } = facts.connection;
  if (ip !== null && helo !== null && isLiteral(helo))
    return known(isSameAddress(literalAddress(helo), ip));
  const named = ifKnown(ptr)?.some((name) => name.toLowerCase() === helo?.toLowerCase());
  if (named) return known(true);
  const resolves = heloResolvesToIp(facts);
  // One of the two is enough: the names decide only where the records do not.
  return ofPublicIp(facts, ifKnown(resolves) || ptr.status === 'known' ? resolves : ptr);
}

export const heloMatchesPtr = defineCheck({
  id: 'helo_matches_ptr',
  subject: heloMatches,
  ladder: [['warn', (matches) => !matches]],
  detail: (matches, { connection: { helo, ip } }) =>
    matches
      ? `${helo} is the name of ${ip}.`
      : `${helo} does not resolve to ${ip} and is not one of its PTR names.`,
  cause: (_, facts) => heloCause(facts),
  steps: (_, facts) => heloNameSteps(facts),
});

type Tls = ConnectionFacts['tls'];

/** RFC 8996: TLS 1.0 and 1.1 must not be used. */
const isOldTls = ({ status, version }: Tls): boolean =>
  status === 'tls' && /^(?:TLSv1(?:\.[01])?|SSLv[23])$/i.test(version ?? '');

export const connectionTls = defineCheck({
  id: 'connection_tls',
  subject: ({ connection: { tls } }) => known(tls),
  ladder: [
    ['fail', ({ status }) => status === 'plaintext'],
    ['warn', isOldTls],
    ['info', ({ status }) => status === 'not_observable'],
  ],
  detail: ({ status, version, cipher }) => {
    if (status === 'plaintext') return 'STARTTLS was offered; the mail came in plain text.';
    if (status === 'not_observable') return 'Not observable: a relay took the mail first.';
    return `${[version ?? 'TLS', cipher].filter(Boolean).join(', ')}.`;
  },
  fixes: (tls) => (isOldTls(tls) ? ['old'] : []),
  steps: (tls) => [
    isOldTls(tls) ? serverStep('tls.protocols', '>=TLSv1.2') : serverStep('tls.outbound', 'may'),
  ],
});
