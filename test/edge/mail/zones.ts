/**
 * Lists hostile DNS answers and MTA-STS policies, each with an email from their sender and the SPF result
 * that they must give.
 */

import { sign } from 'node:crypto';
import type { Zone } from '../../environment/dns-zone.ts';
import { SENDER, type SenderKey, senderZone } from '../../environment/sender.ts';
import { BODY_HASH, fill, mail, signature, times } from './build.ts';
import { BYTES, inLetters, long, spfZones, text } from './spf-zones.ts';

/** The answers of a sender's DNS about one of its emails, and the SPF result that they must give. */
export interface HostileAnswers {
  readonly spf: 'pass' | 'fail' | 'permerror' | 'temperror';
  readonly zone: Zone;
  readonly mail: Buffer;
  /** The response at the MTA-STS policy's URL. */
  readonly policy?: string;
}

const { domain, ip } = SENDER;

/** Signatures that are examined, besides the sender's own. */
const SIGNATURES = 19;

/**
 * Everything that the sender publishes besides correct records, and the other signatures of the email. SPF
 * passes on its own.
 */
interface Shape
  extends Pick<HostileAnswers, 'zone' | 'policy'>,
    Partial<Pick<HostileAnswers, 'spf'>> {
  readonly signatures?: readonly string[];
}

const keysOf = (record: (n: number) => string, toRecords = text): Shape => ({
  zone: Object.fromEntries(
    times(SIGNATURES, (n) => `s._domainkey.d${n}.example`).map((name, n) => [
      name,
      toRecords(record(n)),
    ]),
  ),
  signatures: times(SIGNATURES, (n) => signature('', n)),
});

const at = (name: string, record: string): Shape => ({
  zone: { [name]: text(record) },
});

const OTHERS: Readonly<Record<string, () => Shape>> = {
  'DKIM: 19 keys of 60 KB in p=': () => keysOf((n) => `v=DKIM1; p=M${n % 10}${'A'.repeat(BYTES)}`),
  'DKIM: 19 keys of 60 KB in p=, broken': () => keysOf(() => `v=DKIM1; p=${fill('!', BYTES)}`),
  'DKIM: 19 keys of 60 KB, RSA': () =>
    keysOf(
      () =>
        `v=DKIM1; p=${Buffer.from(`3082ffff0282fffb00${'81'.repeat(44_000)}`, 'hex').toString('base64')}`,
    ),
  'DKIM: 19 keys of t=s and many tags': () => ({
    ...keysOf(() => long('v=DKIM1; t=s; p=AAAA;', (n) => `a${n}=b;`)),
    signatures: times(SIGNATURES, (n) => signature(`; i=@x.d${n}.example`, n)),
  }),
  'DKIM: 19 keys with spaces': () => keysOf(() => `v=DKIM1; p=${fill('A ', BYTES)}`),
  'DKIM: 19 keys of spaces': () => keysOf(() => `v=DKIM1;${' '.repeat(BYTES)}p=`),
  'DKIM: 19 keys of many tags': () => keysOf(() => `v=DKIM1; p=; ${fill('a=;', BYTES)}`),
  'DKIM: 19 keys of many other tags': () => keysOf(() => long('v=DKIM1; p=;', (n) => `a${n}=b;`)),
  'DKIM: 19 keys of semicolons': () => keysOf(() => `v=DKIM1; p=${';'.repeat(BYTES)}`),
  'DKIM: 19 keys of many h=': () => keysOf(() => `v=DKIM1; h=${fill('x:', BYTES)}; p=`),
  'DKIM: 19 keys of t= of many flags': () =>
    keysOf(() => `v=DKIM1; t=${fill('y:', BYTES)}; p=AAAA`),
  'DKIM: 19 keys in strings of a letter': () =>
    keysOf((n) => `v=DKIM1; p=M${n % 10}${'A'.repeat(BYTES)}`, inLetters),
  'DMARC: a record in strings of a letter': () => ({
    zone: { [`_dmarc.${domain}`]: inLetters(`v=DMARC1; p=none;${fill('a=b;', BYTES)}`) },
  }),
  'DMARC: 10,000 tags': () => at(`_dmarc.${domain}`, `v=DMARC1; p=none;${fill('a=b;', BYTES)}`),
  'DMARC: 10,000 equal tags': () => at(`_dmarc.${domain}`, `v=DMARC1;${fill('p=no;', BYTES)}`),
  'DMARC: 10,000 rua': () =>
    at(`_dmarc.${domain}`, `v=DMARC1; p=none; rua=${fill('mailto:a@b.example,', BYTES)}`),
  'DMARC: 30,000 rua of a letter': () =>
    at(`_dmarc.${domain}`, `v=DMARC1; p=none; rua=${fill('x,', BYTES)}`),
  'DMARC: one rua': () =>
    at(`_dmarc.${domain}`, `v=DMARC1; p=none; rua=mailto:${'a'.repeat(BYTES)}`),
  'DMARC: one rua of !': () =>
    at(`_dmarc.${domain}`, `v=DMARC1; p=none; rua=mailto:a@b.example${'!1'.repeat(BYTES / 2)}`),
  'DMARC: spaces': () => at(`_dmarc.${domain}`, `v=DMARC1;${' '.repeat(BYTES)}p=none`),
  'DMARC: spaces before =': () => at(`_dmarc.${domain}`, `v${' '.repeat(BYTES)}=DMARC2`),
  'DMARC: 300 records': () => ({
    zone: {
      [`_dmarc.${domain}`]: { TXT: times(300, (n) => `v=DMARC1; p=none; a${n}=${fill('b', 150)}`) },
    },
  }),
  'DMARC: 19 signatures below a record of 60 KB': () => ({
    zone: {
      [`_dmarc.${domain}`]: text(`v=DMARC1; p=none; rua=${fill('x,', BYTES)}`),
    },
    signatures: times(SIGNATURES, (n) =>
      signature('', n).replace(/d=(d\d+)\.example/, `d=$1.${domain}`),
    ),
  }),
  'MTA-STS: a record of 60 KB': () => at(`_mta-sts.${domain}`, `v=STSv1;${fill(' id =', BYTES)}`),
  'MTA-STS: a record of spaces': () => at(`_mta-sts.${domain}`, `v=STSv1;${' '.repeat(BYTES)}`),
  'MTA-STS: 8,000 mx and 1,000 hosts': () => ({
    zone: {
      [domain]: {
        TXT: [`v=spf1 ip4:${ip} -all`],
        MX: times(1000, (n) => `10 m${n}.${'x'.repeat(20)}.example`),
      },
      [`_mta-sts.${domain}`]: text('v=STSv1; id=1'),
    },
    policy: `version: STSv1\nmode: enforce\nmax_age: 86400\n${fill('mx: a.b\n', 64_000)}`,
  }),
  'MTA-STS: a policy of one line': () => ({
    zone: { [`_mta-sts.${domain}`]: text('v=STSv1; id=1') },
    policy: `version: STSv1\nmode: enforce\nmax_age: 86400\nmx: ${fill('a.', 64_000)}\n`,
  }),
  'MTA-STS: a policy of line ends': () => ({
    zone: { [`_mta-sts.${domain}`]: text('v=STSv1; id=1') },
    policy: fill('\r', 64_000),
  }),
  'TLS-RPT: a record of 60 KB': () =>
    at(`_smtp._tls.${domain}`, `v=TLSRPTv1; rua=${fill('mailto:a@b.example,', BYTES)}`),
  'TLS-RPT: a record of spaces': () =>
    at(`_smtp._tls.${domain}`, `v=TLSRPTv1${fill('; rua', BYTES)}`),
  'BIMI: a record of 60 KB': () =>
    at(`default._bimi.${domain}`, `v=BIMI1; l=https://${'a'.repeat(BYTES)}.example/l.svg`),
  'BIMI: many tags': () => at(`default._bimi.${domain}`, `v=BIMI1; ${fill('a=;', BYTES)}`),
  'BIMI: spaces': () => at(`default._bimi.${domain}`, `v=BIMI1${' '.repeat(BYTES)}`),
  'PTR: 500 names': () => ({
    zone: {
      [`${ip.split('.').reverse().join('.')}.in-addr.arpa`]: {
        PTR: times(500, (n) => `p${n}.${fill('abcdefg.', 60)}example`),
      },
    },
  }),
  'MX: 500 hosts': () => ({
    spf: 'permerror',
    zone: {
      [domain]: {
        TXT: ['v=spf1 mx -all'],
        MX: times(500, (n) => `10 m${n}.${fill('abcdefg.', 60)}example`),
      },
    },
  }),
  'CNAME: loops': () => ({
    spf: 'temperror',
    zone: {
      [domain]: { TXT: [`v=spf1 include:loop.example include:one.example -all`] },
      'loop.example': { CNAME: 'loop.example' },
      'one.example': { CNAME: 'two.example' },
      'two.example': { CNAME: 'one.example' },
      [`_dmarc.${domain}`]: { CNAME: 'one.example' },
      's._domainkey.d0.example': { CNAME: 'two.example' },
      [`default._bimi.${domain}`]: { CNAME: `default._bimi.${domain}` },
    },
  }),
  'CNAME: a chain of twelve': () => ({
    zone: {
      's._domainkey.d0.example': { CNAME: 'c0.example' },
      ...Object.fromEntries(
        times(12, (n) => `c${n}.example`).map((name, n) => [name, { CNAME: `c${n + 1}.example` }]),
      ),
    },
  }),
};

/**
 * Returns DNS data made to break its reader, by name, in the environment of the demo's sender. The email has
 * a correct signature, so that it is accepted whatever its SPF.
 */
export function hostileAnswers(key: SenderKey): Readonly<Record<string, () => HostileAnswers>> {
  const ofSpf = Object.entries(spfZones).map(
    ([name, { spf, zone }]) => [name, (): Shape => ({ spf, zone: zone() })] as const,
  );
  const build = ({
    spf = 'pass',
    zone,
    policy,
    signatures = [signature()],
  }: Shape): HostileAnswers => ({
    spf,
    zone: { ...senderZone(key), ...zone },
    mail: mail({ From: FROM, 'DKIM-Signature': [ownSignature(key), ...signatures] }, 'x'),
    ...(policy !== undefined && { policy }),
  });
  const shapes = [...ofSpf, ...Object.entries(OTHERS)];
  return Object.fromEntries(shapes.map(([name, make]) => [name, () => build(make())]));
}

const FROM = `Shop <news@${domain}>`;

function ownSignature({ privateKey }: SenderKey): string {
  const unsigned = `v=1; a=rsa-sha256; c=simple/simple; d=${domain}; s=${SENDER.selector}; h=from; bh=${BODY_HASH}; b=`;
  const header = `From: ${FROM}\r\nDKIM-Signature: ${unsigned}`;
  return unsigned + sign('sha256', Buffer.from(header), privateKey).toString('base64');
}
