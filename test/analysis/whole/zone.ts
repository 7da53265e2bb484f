/**
 * The DNS zone and web files of a sender who publishes everything right, and functions that change
 * them.
 */

import type { Zone, ZoneRecords } from '../../environment/dns-zone.ts';
import { IP, rightZone } from '../../support/mail/inspection-environment.ts';
import { markCertificate } from '../../support/mail/mark-certificate.ts';
import type { Case, Names, Page } from './case.ts';
import { keyRecord } from './keys.ts';

export const KEY = 's1._domainkey.example.com';
export const PTR = '25.2.0.192.in-addr.arpa';
export const POLICY = 'mta-sts.example.com/.well-known/mta-sts.txt';
export const LOGO = 'brand.example.com/logo.svg';
export const MARK = 'brand.example.com/mark.pem';

/** Everything that a sender can publish, published correctly. */
const zone: Zone = {
  ...rightZone,
  [KEY]: { TXT: [keyRecord] },
  '2.0.0.127.zen.spamhaus.org': { A: ['127.0.0.2'] },
  '2.0.0.127.bl.mailspike.net': { A: ['127.0.0.2'] },
  'dbltest.com.dbl.spamhaus.org': { A: ['127.0.1.2'] },
  'surbl-org-permanent-test-point.com.multi.surbl.org': { A: ['127.0.0.254'] },
  '_mta-sts.example.com': { TXT: ['v=STSv1; id=20261120'] },
  'mta-sts.example.com': { A: ['192.0.2.81'] },
  'default._bimi.example.com': { TXT: [`v=BIMI1; l=https://${LOGO}; a=https://${MARK}`] },
  'brand.example.com': { A: ['192.0.2.82'] },
};

/** Returns the zone with some names changed; `null` removes a name. */
export const zoneWith = (changes: Case['zone'] = {}): Zone =>
  Object.fromEntries(
    Object.entries<ZoneRecords | string | null>({ ...zone, ...changes }).filter(
      ([, records]) => records !== null,
    ),
  ) as Zone;

export const ORIGIN = {
  A: ['192.0.2.80'],
  MX: ['10 mail.example.com'],
  NS: ['ns1.provider.example'],
};

/** Returns `example.com` with these SPF records. */
export const spf = (...TXT: (string | string[])[]): Names => ({
  'example.com': { ...ORIGIN, TXT },
});

export const RIGHT_SPF = `v=spf1 ip4:${IP} -all`;

export const dmarc = (...TXT: string[]): Names => ({ '_dmarc.example.com': { TXT } });

export const svg = (root = 'viewBox="0 0 9 9"', inside = '<title>Shop</title>') =>
  `<svg xmlns="http://www.w3.org/2000/svg" version="1.2" baseProfile="tiny-ps" ${root}>${inside}<path d="M0 0h9v9z"/></svg>`;

export const logo = (body: string): Page => ({ type: 'image/svg+xml', body });

export const policy = (...lines: string[]): Page => ({
  type: 'text/plain',
  body: ['version: STSv1', ...lines, ''].join('\r\n'),
});

/** Files of the sender's web server, by host and path. */
export const pages: Readonly<Record<string, Page>> = {
  [POLICY]: policy('mode: enforce', 'mx: mail.example.com', 'max_age: 604800'),
  [LOGO]: logo(svg()),
  [MARK]: { type: 'application/x-pem-file', body: markCertificate({ svg: svg() }) },
};
