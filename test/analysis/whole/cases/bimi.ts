/** Cases of complete emails with BIMI records, logos and certificates. */

import { markCertificate } from '../../../support/mail/mark-certificate.ts';
import type { Case, Page } from '../case.ts';
import { newsletter } from '../mails.ts';
import { LOGO, logo, MARK, ORIGIN, svg } from '../zone.ts';

const NAME = 'default._bimi.example.com';
const L = `l=https://${LOGO};`;
const A = `a=https://${MARK};`;

const NONE = {
  '_dmarc.example.com': { TXT: ['v=DMARC1; p=none; rua=mailto:dmarc@example.com'] },
} as const;

const record = (...TXT: string[]) => ({ [NAME]: { TXT } });

const files = {
  bimi_dmarc_ready: 'left out',
  bimi_logo: 'left out',
  bimi_certificate: 'left out',
} as const;

const broken = (about: string, ...texts: string[]): Case => ({
  about,
  zone: record(...texts),
  states: { bimi_record: 'broken', ...files },
});

/** The logo alone, because a certificate is for one logo and would not match another. */
const withLogo = (
  about: string,
  page: Page | null,
  state: 'invalid' | 'not_square' | 'valid',
): Case => ({
  about,
  zone: record(`v=BIMI1; ${L} a=;`),
  web: { [LOGO]: page },
  states: {
    ...(state !== 'valid' && { bimi_logo: state }),
    bimi_certificate: 'absent',
  },
});

const withMark = (
  about: string,
  changes: Partial<Parameters<typeof markCertificate>[0]>,
): Case => ({
  about,
  web: {
    [MARK]: { type: 'application/x-pem-file', body: markCertificate({ svg: svg(), ...changes }) },
  },
  states: { bimi_certificate: 'invalid' },
});

const large = svg(undefined, `<title>Shop</title><desc>${'x'.repeat(33_000)}</desc>`);

export const bimiCases: readonly Case[] = [
  { about: 'no record', zone: { [NAME]: null }, states: { bimi_record: 'absent', ...files } },
  {
    about: 'no record, and DMARC at p=none',
    zone: { [NAME]: null, ...NONE },
    states: { bimi_record: 'absent', ...files, dmarc_policy: 'none' },
  },
  broken('a record that is not v=BIMI1', `v=BIMI2; ${L}`),
  broken('two records', `v=BIMI1; ${L}`, `v=BIMI1; ${L} ${A}`),
  broken('a logo by http', `v=BIMI1; ${L.replace('https', 'http')}`),
  broken('no l=', `v=BIMI1; ${A}`),
  {
    about: 'DMARC at p=none',
    zone: NONE,
    states: { bimi_dmarc_ready: 'not_enforced', dmarc_policy: 'none' },
  },
  {
    about: 'DMARC at p=none at the organizational domain alone',
    mail: newsletter({ From: 'Example Shop <news@shop.example.com>' }),
    zone: {
      'shop.example.com': ORIGIN,
      '_dmarc.shop.example.com': { TXT: ['v=DMARC1; p=reject; rua=mailto:dmarc@example.com'] },
      ...NONE,
    },
    states: { bimi_dmarc_ready: 'not_enforced', mta_sts: 'absent', tls_rpt: 'absent' },
  },
  withLogo('a logo without certificate', logo(svg()), 'valid'),
  withLogo('no baseProfile', logo(svg().replace(' baseProfile="tiny-ps"', '')), 'invalid'),
  withLogo('another version', logo(svg().replace('"1.2"', '"1.1"')), 'invalid'),
  withLogo('no title', logo(svg(undefined, '')), 'invalid'),
  withLogo('x on the root', logo(svg('viewBox="0 0 9 9" x="0"')), 'invalid'),
  withLogo('a script', logo(svg(undefined, '<title>S</title><script>1</script>')), 'invalid'),
  withLogo('animation', logo(svg(undefined, '<title>S</title><animate/>')), 'invalid'),
  withLogo(
    'a picture from elsewhere',
    logo(svg(undefined, '<title>S</title><use href="https://example.net/x"/>')),
    'invalid',
  ),
  withLogo('a DOCTYPE', logo(`<!DOCTYPE svg>${svg()}`), 'invalid'),
  withLogo('over 32 KB', logo(large), 'invalid'),
  withLogo('no SVG', logo('hello'), 'invalid'),
  withLogo('a logo that is gone', null, 'invalid'),
  withLogo('a logo that is no square', logo(svg('viewBox="0 0 9 3"')), 'not_square'),
  withMark('an expired certificate', { notAfter: '2026-11-01' }),
  withMark('a certificate for another name', { name: 'example.net' }),
  withMark('a certificate that is not for BIMI', { forBimi: false }),
  withMark('a certificate for another logo', { svg: svg(undefined, '<title>Other</title>') }),
  {
    about: 'a certificate that is gone',
    web: { [MARK]: null },
    states: { bimi_certificate: 'invalid' },
  },
];
