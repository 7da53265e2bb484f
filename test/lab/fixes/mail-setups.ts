import type { Names } from '../../analysis/whole/case.ts';
import { keyRecord, signature } from '../../analysis/whole/keys.ts';
import { newsletter } from '../../analysis/whole/mails.ts';
import { dmarc, ORIGIN, PTR, spf } from '../../analysis/whole/zone.ts';
import { IP } from '../../support/mail/inspection-environment.ts';
import type { Setup } from './setup.ts';

const RUA = 'rua=mailto:dmarc@example.com';
const IPV6 = '2001:db8:25::1';
const IPV6_PTR = '1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.5.2.0.0.8.b.d.0.1.0.0.2.ip6.arpa';

/** Names of others, which no fix may change. */
const around: Names = {
  '_spf.wrong.example': { TXT: ['v=spf1 ip4:198.51.100.0/24 -all'] },
  '_spf.right.example': { TXT: [`v=spf1 ip4:${IP}/32 -all`] },
  '_spf.deep.example': {
    TXT: [`v=spf1 ${[1, 2, 3, 4, 5].map((n) => `include:d${n}.deep.example`).join(' ')} -all`],
  },
  ...Object.fromEntries(
    [1, 2, 3, 4, 5].map((n) => [
      `d${n}.deep.example`,
      { TXT: [`v=spf1 a:h${n}.deep.example ip4:203.0.113.${n} -all`] },
    ]),
  ),
  ...Object.fromEntries(
    [1, 2, 3, 4, 5].map((n) => [`h${n}.deep.example`, { A: [`203.0.113.1${n}`] }]),
  ),
  'esp.example': { MX: ['10 mail.example.com'], TXT: [`v=spf1 ip4:${IP} -all`] },
  's1._domainkey.esp.example': { TXT: [keyRecord] },
};

const unsigned = { signatures: [] };
const byPlatform = { signatures: [signature({ d: 'esp.example' })] };
const bounceAt = (domain: string) => ({
  from: { localPart: 'bounce', domain, smtputf8: false },
});
const from = (domain: string) => newsletter({ From: `Example Shop <news@${domain}>` });

type Part = Setup['situation'];

/** SPF records with something wrong, of a sender that is to be let in. */
const SPF: Readonly<Record<string, readonly string[]>> = {
  'include of the wrong platform': ['v=spf1 include:_spf.wrong.example -all'],
  'include of the right one, too late': [
    'v=spf1 include:_spf.deep.example include:_spf.wrong.example include:_spf.right.example -all',
  ],
  'over ten lookups, not listed': [
    'v=spf1 include:_spf.deep.example a mx include:_spf.wrong.example -all',
  ],
  'over ten lookups and three voids': [
    'v=spf1 a:v1.example a:v2.example mx:v3.example include:_spf.deep.example include:_spf.right.example ~all',
  ],
  'a macro that leads nowhere': ['v=spf1 exists:%{i}._spf.%{d} include:%{d2}.wrong.example -all'],
  'two records': ['v=spf1 include:_spf.wrong.example ~all', 'v=spf1 mx -all'],
  'three records, one beside': ['v=spf1 a -all', 'v=spf1 mx ~all', 'v=spf1 ?all', 'site=1'],
  'an open end and a typo': ['v=spf1 includ:_spf.wrong.example +all'],
  'redirect to nothing': ['v=spf1 a mx redirect=_spf.nothing.example'],
  'redirect beside all': ['v=spf1 redirect=_spf.right.example ~all'],
  'redirect to a record that leaves it out': ['v=spf1 redirect=_spf.wrong.example'],
  'a mask and a comma': ['v=spf1 ip4:198.51.100.0/255.255.255.0, mx -all'],
  'one string too many spaces': ['v=spf1  a   include:_spf.wrong.example    -all'],
  'all in the middle': ['v=spf1 mx -all include:_spf.right.example'],
  'softfail of the address': [`v=spf1 ~ip4:${IP} mx -all`],
  'ip6 for an IPv4 address': [`v=spf1 ip6:${IP} -all`],
  'a URL': ['v=spf1 include:https://_spf.wrong.example/ a:http://example.com -all'],
  'nothing but an end': ['v=spf1 -all'],
  'typographic end': ['v=spf1 mx \u2013all'],
  loop: ['v=spf1 include:example.com mx -all'],
  'SPF of Sender ID': ['spf2.0/pra include:_spf.wrong.example -all'],
  'a version of its own': ['v=spf2 include:_spf.wrong.example -all'],
  'no version': ['include:_spf.wrong.example ~all'],
  'exp= twice': ['v=spf1 mx exp=a.example.com exp=b.example.com -all'],
};

/** What is wrong with DMARC and DKIM beside. */
const BESIDE: Readonly<Record<string, Part>> = {
  'signed and enforced': {},
  'unsigned, p=reject': { ...unsigned, zone: dmarc(`v=DMARC1; p=reject; ${RUA}`) },
  'signed by the platform, no DMARC': { ...byPlatform, zone: { '_dmarc.example.com': null } },
};

const spfSetups: readonly Setup[] = Object.entries(SPF).flatMap(([name, records], i) => {
  const [beside = '', part = {}] = Object.entries(BESIDE)[i % 3] ?? [];
  return [
    {
      name: `${name}; ${beside}`,
      situation: { ...part, zone: { ...around, ...part.zone, ...spf(...records) } },
    },
  ];
});

const other = (name: string, { zone, ...part }: Part, server?: 'stranger'): Setup => ({
  name,
  situation: { ...part, zone: { ...around, ...zone } },
  ...(server && { server }),
});

const GENERIC = '25.2.0.192.dyn.isp.example';
const generic = { [PTR]: { PTR: [GENERIC] }, [GENERIC]: { A: [IP] } };
const POOL = 'mail-sor-f41.google.com';
const ofGoogle = { [PTR]: { PTR: [POOL] }, [POOL]: { A: [IP] } };
const notListed = spf('v=spf1 ip4:198.51.100.7 -all');
const subdomain = { 'shop.example.com': { ...ORIGIN, TXT: ['v=spf1 ip4:198.51.100.7 -all'] } };

export const mailSetups: readonly Setup[] = [
  ...spfSetups,
  other('a subdomain without anything of its own', {
    mail: from('shop.example.com'),
    ...unsigned,
    ...bounceAt('shop.example.com'),
    zone: { 'shop.example.com': ORIGIN },
  }),
  other('a subdomain, sp=none, unsigned', {
    mail: from('shop.example.com'),
    ...unsigned,
    ...bounceAt('shop.example.com'),
    zone: { ...subdomain, ...dmarc(`v=DMARC1; p=reject; sp=none; ${RUA}`) },
  }),
  other('a subdomain, sp=reject, strict', {
    mail: from('shop.example.com'),
    ...bounceAt('shop.example.com'),
    zone: { ...subdomain, ...dmarc(`v=DMARC1; p=none; sp=reject; adkim=s; aspf=s; ${RUA}`) },
  }),
  other('a subdomain with a record of its own', {
    mail: from('shop.example.com'),
    ...unsigned,
    ...bounceAt('shop.example.com'),
    zone: { ...subdomain, '_dmarc.shop.example.com': { TXT: [`v=DMARC1; p=quarantine; ${RUA}`] } },
  }),
  other('a subdomain that does not exist', { mail: from('gone.example.com'), zone: {} }),
  other('a platform takes bounces and signs as itself', {
    ...byPlatform,
    ...bounceAt('esp.example'),
  }),
  other('a platform, and DMARC strict', {
    ...byPlatform,
    ...bounceAt('esp.example'),
    zone: dmarc(`v=DMARC1; p=reject; adkim=s; aspf=s; ${RUA}`),
  }),
  other('a bounce name of our own without SPF', {
    ...unsigned,
    ...bounceAt('bounce.example.com'),
    zone: { 'bounce.example.com': ORIGIN },
  }),
  other(
    'a bounce name that is an alias of the platform',
    {
      ...byPlatform,
      ...bounceAt('em.example.com'),
      zone: {
        'em.example.com': { CNAME: 'u1.esp.example' },
        'u1.esp.example': { TXT: ['v=spf1 -all'] },
      },
    },
    'stranger',
  ),
  other('DMARC at the domain itself', {
    ...unsigned,
    zone: {
      '_dmarc.example.com': null,
      'example.com': { ...ORIGIN, TXT: [`v=spf1 ip4:${IP} -all`, `v=DMARC1; p=reject; ${RUA}`] },
    },
  }),
  other('DMARC with the domain twice', {
    zone: {
      '_dmarc.example.com': null,
      '_dmarc.example.com.example.com': { TXT: [`v=DMARC1; p=reject; ${RUA}`] },
    },
  }),
  other('DMARC twice', {
    ...unsigned,
    zone: dmarc(`v=DMARC1; p=reject; ${RUA}`, 'v=DMARC1; p=none'),
  }),
  other('DMARC behind an alias to nothing', {
    zone: { '_dmarc.example.com': { CNAME: 'dmarc.esp.example' } },
  }),
  other('DMARC without reports and SPF open', {
    zone: { ...dmarc('v=DMARC1; p=none'), ...spf('v=spf1 +all') },
  }),
  other('null MX and SPF -all', {
    zone: { 'example.com': { ...ORIGIN, MX: ['0 .'], TXT: ['v=spf1 -all'] } },
  }),
  other('no MX, no SPF, unsigned', { ...unsigned, zone: { 'example.com': { A: ['192.0.2.80'] } } }),
  other('IPv6 without AAAA and PTR', { client: { ip: IPV6 }, zone: {} }),
  other('IPv6 without PTR, unsigned', {
    ...unsigned,
    client: { ip: IPV6, helo: 'localhost' },
    zone: {},
  }),
  other('IPv6 with a PTR that leads nowhere', {
    client: { ip: IPV6 },
    zone: { [IPV6_PTR]: { PTR: ['six.example.com'] } },
  }),
  other('no PTR, HELO localhost, SPF wrong', {
    client: { helo: 'localhost' },
    zone: { [PTR]: null, ...notListed },
  }),
  other('two PTR, HELO elsewhere', {
    client: { helo: 'web.example.com' },
    zone: { [PTR]: { PTR: ['mail.example.com', 'mail.example.com.'] }, ...notListed },
  }),
  other('a null sender whose HELO has no SPF', { ...bounceAt(''), ...unsigned, zone: {} }),
  other('Google, and no include of it', {
    ...unsigned,
    zone: { ...ofGoogle, ...notListed, '_spf.google.com': { TXT: [`v=spf1 ip4:${IP} ~all`] } },
  }),
  other('Google, and no record at all', {
    zone: {
      ...ofGoogle,
      'example.com': ORIGIN,
      '_spf.google.com': { TXT: [`v=spf1 ip4:${IP} ~all`] },
    },
  }),
  other('key with the domain twice, SPF wrong', {
    zone: {
      's1._domainkey.example.com': null,
      's1._domainkey.example.com.example.com': { TXT: [keyRecord] },
      ...notListed,
    },
  }),
  other('key in test mode, DMARC pct=0, SPF neutral', {
    zone: {
      's1._domainkey.example.com': { TXT: [`v=DKIM1; t=y; k=rsa; p=${keyRecord.split('p=')[1]}`] },
      ...dmarc(`v=DMARC1; p=reject; pct=0; ${RUA}`),
      ...spf('v=spf1 ?all'),
    },
  }),
  other(
    'a home connection, unsigned',
    { ...unsigned, client: { helo: GENERIC }, zone: { ...generic, ...notListed } },
    'stranger',
  ),
  other(
    'a home connection, no record',
    { ...unsigned, client: { helo: GENERIC }, zone: { ...generic, 'example.com': ORIGIN } },
    'stranger',
  ),
  other(
    'a home connection, open record',
    { ...unsigned, client: { helo: GENERIC }, zone: { ...generic, ...spf('v=spf1 +all') } },
    'stranger',
  ),
  other(
    'a signature that does not match',
    { alter: (mail) => mail.replace('Subject: ', 'Subject: Win '), zone: notListed },
    'stranger',
  ),
  other(
    'a changed body, not listed',
    { alter: (mail) => `${mail}\r\nbuy`, zone: notListed },
    'stranger',
  ),
  other(
    'a listed address',
    { zone: { ...notListed, '25.2.0.192.bl.spamcop.net': { A: ['127.0.0.2'] } } },
    'stranger',
  ),
  other(
    'a pool that the platform does not list',
    {
      ...unsigned,
      zone: {
        ...ofGoogle,
        ...notListed,
        '_spf.google.com': { TXT: ['v=spf1 ip4:198.51.100.0/24 ~all'] },
      },
    },
    'stranger',
  ),
  other(
    'a forwarder',
    {
      mail: newsletter({
        'X-Forwarded-To': 'a@elsewhere.example',
        'X-Forwarded-For': 'b@elsewhere.example',
      }),
      ...unsigned,
      zone: notListed,
    },
    'stranger',
  ),
  other(
    'a mailing list',
    {
      mail: newsletter({
        'List-Id': '<talk.list.example>',
        'List-Post': '<mailto:talk@list.example>',
        'X-BeenThere': 'talk@list.example',
        'X-Mailman-Version': '3.3',
      }),
      alter: (mail) => `${mail}\r\n_______\r\nlist\r\n`,
      zone: notListed,
    },
    'stranger',
  ),
  other(
    'a private address',
    { ...unsigned, client: { ip: '10.1.2.3' }, zone: notListed },
    'stranger',
  ),
];
