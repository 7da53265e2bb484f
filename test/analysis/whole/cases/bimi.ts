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
  states: { bimi_record: 'warn 0', ...files },
});

/** Alone: a certificate is for one logo, and would say so of another. */
const withLogo = (
  about: string,
  page: Page | null,
  state: 'warn 0' | 'info 1' | 'pass 2',
): Case => ({
  about,
  zone: record(`v=BIMI1; ${L} a=;`),
  web: { [LOGO]: page },
  states: {
    ...(state !== 'pass 2' && { bimi_logo: state }),
    bimi_certificate: 'info 1',
  },
});

const withMark = (
  about: string,
  changes: Partial<Parameters<typeof markCertificate>[0]>,
  states: Case['states'] = { bimi_certificate: 'warn 0' },
): Case => ({
  about,
  web: {
    [MARK]: { type: 'application/x-pem-file', body: markCertificate({ svg: svg(), ...changes }) },
  },
  states,
});

const large = svg(undefined, `<title>Shop</title><desc>${'x'.repeat(33_000)}</desc>`);

export const bimiCases: readonly Case[] = [
  { about: 'no record', zone: { [NAME]: null }, states: { bimi_record: 'info 1', ...files } },
  {
    about: 'no record, and DMARC at p=none',
    zone: { [NAME]: null, ...NONE },
    states: { bimi_record: 'info 1', ...files, dmarc_policy: 'warn 0' },
  },
  {
    about: 'a declined logo',
    zone: record('v=BIMI1; l=; a=;'),
    states: { bimi_record: 'info 2', ...files },
  },
  broken('a record that is not v=BIMI1', `v=BIMI2; ${L}`),
  broken('two records', `v=BIMI1; ${L}`, `v=BIMI1; ${L} ${A}`),
  broken('a logo by http', `v=BIMI1; ${L.replace('https', 'http')}`),
  broken('no l=', `v=BIMI1; ${A}`),
  {
    about: 'DMARC at p=none',
    zone: NONE,
    states: { bimi_dmarc_ready: 'warn 0', dmarc_policy: 'warn 0' },
  },
  {
    about: 'DMARC at p=none at the organizational domain alone',
    mail: newsletter({ From: 'Example Shop <news@shop.example.com>' }),
    zone: {
      'shop.example.com': ORIGIN,
      '_dmarc.shop.example.com': { TXT: ['v=DMARC1; p=reject; rua=mailto:dmarc@example.com'] },
      ...NONE,
    },
    states: { bimi_dmarc_ready: 'warn 0', mta_sts: 'info 1', tls_rpt: 'info 1' },
  },
  withLogo('a logo without certificate', logo(svg()), 'pass 2'),
  withLogo('no baseProfile', logo(svg().replace(' baseProfile="tiny-ps"', '')), 'warn 0'),
  withLogo('another version', logo(svg().replace('"1.2"', '"1.1"')), 'warn 0'),
  withLogo('no title', logo(svg(undefined, '')), 'warn 0'),
  withLogo('x on the root', logo(svg('viewBox="0 0 9 9" x="0"')), 'warn 0'),
  withLogo('a script', logo(svg(undefined, '<title>S</title><script>1</script>')), 'warn 0'),
  withLogo('animation', logo(svg(undefined, '<title>S</title><animate/>')), 'warn 0'),
  withLogo(
    'a picture from elsewhere',
    logo(svg(undefined, '<title>S</title><use href="https://example.net/x"/>')),
    'warn 0',
  ),
  withLogo('a DOCTYPE', logo(`<!DOCTYPE svg>${svg()}`), 'warn 0'),
  withLogo('over 32 KB', logo(large), 'warn 0'),
  withLogo('no SVG', logo('hello'), 'warn 0'),
  withLogo('a logo that is gone', null, 'warn 0'),
  withLogo('a logo that is no square', logo(svg('viewBox="0 0 9 3"')), 'info 1'),
  withMark('an expired certificate', { notAfter: '2026-11-01' }),
  withMark('a certificate for another name', { name: 'example.net' }),
  withMark('a certificate that is not for BIMI', { forBimi: false }),
  withMark('a certificate for another logo', { svg: svg(undefined, '<title>Other</title>') }),
  withMark('a certificate of a mark in use', { markType: 'Prior Use Mark' }, {}),
  {
    about: 'a certificate that is gone',
    web: { [MARK]: null },
    states: { bimi_certificate: 'warn 0' },
  },
];
