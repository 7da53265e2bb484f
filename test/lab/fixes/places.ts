/**
 * Lists unusual surroundings of a setup, as the setups of strangers have them: aliases, web proxies, hired
 * platforms, forwarders. Some of them are correct, and some have a fault of their own.
 */

import webProxies from '../../../src/analysis/names/web-proxies.json' with { type: 'json' };
import { draftOf } from '../../analysis/whole/apply-actions.ts';
import type { Names } from '../../analysis/whole/case.ts';
import { keyRecord, keys, recordOf, signature } from '../../analysis/whole/keys.ts';
import { type Fields, newsletter } from '../../analysis/whole/mails.ts';
import type { Situation } from '../../analysis/whole/publish.ts';
import { PTR, zoneWith } from '../../analysis/whole/zone.ts';
import { IP } from '../../support/mail/inspection-environment.ts';

/** Changes a setup whose other parts are already in place. */
type Place = (one: Situation) => Situation;

const withZone =
  (names: Names): Place =>
  (one) => ({ ...one, zone: { ...one.zone, ...names } });

/** Moves the records at a name to a service, and makes the name an alias of that. */
const behindAlias =
  (name: string, target: string): Place =>
  (one) => ({
    ...one,
    zone: {
      ...one.zone,
      [name]: { CNAME: target },
      [target]: zoneWith(one.zone)[name] ?? null,
    },
  });

const SECOND_KEY = 's2._domainkey.example.com';

const signedToo =
  (...signatures: readonly ReturnType<typeof signature>[]): Place =>
  (one) => ({ ...one, signatures: [...(one.signatures ?? [signature()]), ...signatures] });

/** The sender's address in the other family, whose names are all correct. */
const IPV6 = '2001:db8::25';
const IPV6_PTR = `${[...'20010db8000000000000000000000025'].toReversed().join('.')}.ip6.arpa`;

const overIpv6: Place = (one) => ({
  ...one,
  client: { ...one.client, ip: IPV6 },
  zone: {
    ...one.zone,
    [IPV6_PTR]: { PTR: ['mail.example.com'] },
    'mail.example.com': { A: [IP], AAAA: [IPV6], TXT: ['v=spf1 a -all'] },
  },
});

const KEY = 's1._domainkey.example.com';

/**
 * Moves the records at a name to the domain, beside everything else there, and makes the name an alias of
 * that.
 */
const amongAll =
  (name: string): Place =>
  (one) => {
    const all = zoneWith(one.zone);
    const [own, domain] = [all[name], all['example.com']].map((held) =>
      typeof held === 'object' ? held : {},
    );
    const TXT = [...(domain?.TXT ?? []), ...(own?.TXT ?? [])];
    return withZone({ [name]: { CNAME: 'example.com' }, 'example.com': { ...domain, TXT } })(one);
  };

/** Puts the key at a service, with the domain appended to the target of its alias. */
const appended: Place = (one) => ({
  ...one,
  zone: {
    ...one.zone,
    [KEY]: { CNAME: 's1.domainkey.u1.wl.sendgrid.net.example.com' },
    's1.domainkey.u1.wl.sendgrid.net': zoneWith(one.zone)[KEY] ?? null,
  },
});

/** Adds a second key at the selector, that of an older signer. */
const withOldKey =
  (isFirst: boolean): Place =>
  (one) => {
    const held = zoneWith(one.zone)[KEY];
    const own = typeof held === 'object' ? (held.TXT ?? []) : [];
    const old = recordOf(keys.rsa1024.key);
    return withZone({ [KEY]: { TXT: isFirst ? [old, ...own] : [...own, old] } })(one);
  };

const selecting =
  (s: string): Place =>
  (one) => ({
    ...one,
    signatures: (one.signatures ?? [signature()]).map((signed) => ({ ...signed, s })),
  });

/** Makes a dual-stack host whose address of the other family is not published. */
const withoutAaaa =
  (names: Names): Place =>
  (one) => ({
    ...withZone({ 'mail.example.com': { A: [IP] }, ...names })(one),
    client: { ...one.client, ip: IPV6 },
  });

/** Makes the name of the sending host resolve to a web proxy. */
const proxied =
  (...A: string[]): Place =>
  (one) => ({
    ...withZone({ 'smtp.example.com': { A }, [PTR]: { PTR: ['smtp.example.com'] } })(one),
    client: { ...one.client, helo: 'smtp.example.com' },
  });

/** An address in the first range that each web proxy publishes. */
const PROXY_PLACES: Readonly<Record<string, Place>> = Object.fromEntries(
  Object.entries(webProxies).map(([proxy, [range = '']]) => [
    `proxy: ${proxy} before the mail host`,
    proxied(range.replace(/\d+\/\d+$/, '9')),
  ]),
);

/** Has someone else's name servers answer for a name, from a zone at it or above. */
const delegated =
  (name: string, zone = name): Place =>
  (one) => {
    const held = zoneWith(one.zone)[name];
    const records = typeof held === 'object' ? held : {};
    const NS = ['ns1.vendor.example', 'ns2.vendor.example'];
    return withZone({ [name]: records, [zone]: { ...(zone === name && records), NS } })(one);
  };

/** Gives the domain other MX records. */
const withMx =
  (MX: readonly string[], names: Names): Place =>
  (one) => {
    const held = zoneWith(one.zone)['example.com'];
    const records = typeof held === 'object' ? held : {};
    return withZone({ 'example.com': { ...records, MX: [...MX] }, ...names })(one);
  };

/** Sends from someone else's host, whose names are correct. */
const sentBy =
  (helo: string): Place =>
  (one) => ({
    ...withZone({ [PTR]: { PTR: [helo] }, [helo]: { A: [IP] } })(one),
    client: { ...one.client, helo },
  });

const FORWARDER = '203.0.113.77';

const withFields =
  (fields: Fields): Place =>
  (one) => {
    const mail = draftOf(one);
    return { ...one, mail: { ...mail, fields: { ...mail.fields, ...fields } } };
  };

const all =
  (...places: readonly Place[]): Place =>
  (one) =>
    places.reduce((now, place) => place(now), one);

/** A forwarder passes the email on from its own server, which no record of the sender's names. */
const forwarded: Place = all(
  withFields({
    To: 'Anna <anna@forward.example>',
    Received:
      'from mail.example.com by mx.forward.example for <anna@forward.example>; Fri, 20 Nov 2026 10:00:00 +0000',
  }),
  withZone({
    '77.113.0.203.in-addr.arpa': { PTR: ['mx.forward.example'] },
    'mx.forward.example': { A: [FORWARDER], TXT: ['v=spf1 a -all'] },
    'forward.example': { MX: ['10 mx.forward.example'], TXT: [`v=spf1 ip4:${FORWARDER} -all`] },
  }),
  (one) => ({ ...one, client: { ip: FORWARDER, helo: 'mx.forward.example' } }),
);

const IDN = 'xn--bcher-kva.example.com';

export const PLACES: Readonly<Record<string, Place>> = {
  'plain names': (one) => one,
  'alias: the key at a service': behindAlias('s1._domainkey.example.com', 's1.dkim.esp.example'),
  'alias: the DMARC record at a service': behindAlias(
    '_dmarc.example.com',
    'example-com.dmarc.esp.example',
  ),
  'alias: the DMARC record at the domain': amongAll('_dmarc.example.com'),
  'alias: the key at the domain': amongAll(KEY),
  'alias: the domain appended to its target': appended,
  'wildcard: all names lead to the domain': withZone({ '*.example.com': { CNAME: 'example.com' } }),
  'keys: an old one first at the selector': withOldKey(true),
  'keys: an old one second at the selector': withOldKey(false),
  'selector: it holds _domainkey': selecting('s1._domainkey'),
  'both families: one record missing': withoutAaaa({ [IPV6_PTR]: { PTR: ['mail.example.com'] } }),
  'both families: no record and no reverse name': withoutAaaa({}),
  ...PROXY_PLACES,
  'proxy: beside the address of the mail host': proxied('104.18.7.9', '104.18.8.9'),
  'proxy: before a second mail host': withMx(['10 mail.example.com', '20 mx2.example.com'], {
    'mx2.example.com': { A: ['104.18.7.9'] },
  }),
  'NAT64: through a translator of its own network': (one) => ({
    ...one,
    client: { ...one.client, ip: '64:ff9b::c000:219' },
  }),
  'delegation: the DMARC record': delegated('_dmarc.example.com'),
  'delegation: the keys': delegated(KEY, '_domainkey.example.com'),
  'wildcard: SPF for all names': withZone({ '*.example.com': { TXT: ['v=spf1 -all'] } }),
  'wildcard: a web server at all names': withZone({ '*.example.com': { A: ['192.0.2.80'] } }),
  'keys: a second signature': (one) =>
    withZone({ [SECOND_KEY]: { TXT: [keyRecord] } })(signedToo(signature({ s: 's2' }))(one)),
  'keys: a second signature, without its key': signedToo(signature({ s: 's2' })),
  'keys: Ed25519 beside RSA': (one) =>
    withZone({ [SECOND_KEY]: { TXT: [recordOf(keys.ed25519.key)] } })(
      signedToo(signature({ s: 's2', a: 'ed25519-sha256', key: keys.ed25519.key }))(one),
    ),
  'both families: sent over IPv6': overIpv6,
  'IDN: a subdomain in From': (one) =>
    withZone({ [IDN]: { A: ['192.0.2.80'], MX: ['10 mail.example.com'] } })({
      ...one,
      mail: newsletter({ From: `Example Shop <news@${IDN}>` }),
    }),
  'hired: a platform under a signature of the domain': sentBy('o1.sendgrid.net'),
  'hired: a platform that holds the key': all(
    sentBy('o1.sendgrid.net'),
    behindAlias(KEY, 's1.domainkey.u1.wl.sendgrid.net'),
  ),
  'hired: a host that accepts the domain’s email': all(
    sentBy('out.hoster.example'),
    withMx(['10 mx.hoster.example'], { 'mx.hoster.example': { A: ['198.51.100.200'] } }),
  ),
  'forwarded: by an account elsewhere': forwarded,
  'forwarded: with a return path of the forwarder': all(forwarded, (one) => ({
    ...one,
    from: { localPart: 'srs0', domain: 'forward.example', smtputf8: false },
  })),
  'forwarded: through a list': all(
    forwarded,
    withFields({
      'List-Id': 'Readers <readers.forward.example>',
      'List-Post': '<mailto:readers@forward.example>',
      Precedence: 'list',
    }),
  ),
};

/** Returns whether the email comes from a server that is not the sender's. */
export const isForwarding = (place: string): boolean => place.startsWith('forwarded: ');
