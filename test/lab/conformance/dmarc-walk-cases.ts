/**
 * Lists DMARC cases about the tree walk: which names are queried, where it stops, and which domain is the
 * organization (RFC 9989 §4.10).
 */

import type { DmarcCase } from './dmarc-case.ts';

const LONG = 'a.b.c.d.e.f.g.h.i.j.mail.example.com';
const p = (policy: string, more = '') => `v=DMARC1; p=${policy}${more}`;

/**
 * Cases of which names are queried, where the walk stops, and which domain is the organization (RFC 9989
 * §4.10).
 */
export const walkCases: Readonly<Record<string, DmarcCase>> = {
  '§4.10: a walk ends at the single label': {
    zone: {},
    from: 'a.mail.example.com',
    want: { walk: ['a.mail.example.com', 'mail.example.com', 'example.com', 'com'] },
  },
  '§4.10: the example of twelve labels and more is eight queries': {
    zone: {},
    from: LONG,
    want: {
      walk: [
        LONG,
        'g.h.i.j.mail.example.com',
        'h.i.j.mail.example.com',
        'i.j.mail.example.com',
        'j.mail.example.com',
        'mail.example.com',
        'example.com',
        'com',
      ],
    },
  },
  '§4.10: seven labels lose one at a time': {
    zone: {},
    from: 'a.b.c.d.e.example.com',
    want: {
      walk: [
        'a.b.c.d.e.example.com',
        'b.c.d.e.example.com',
        'c.d.e.example.com',
        'd.e.example.com',
        'e.example.com',
        'example.com',
        'com',
      ],
    },
  },
  '§4.10: eight labels go on at seven': {
    zone: { 'b.c.d.e.f.example.com': p('reject', '; psd=n') },
    from: 'a.b.c.d.e.f.example.com',
    want: { walk: ['a.b.c.d.e.f.example.com', 'b.c.d.e.f.example.com'], effective: 'reject' },
  },
  '§4.10: nine labels leave out the name of eight': {
    zone: { 'b.c.d.e.f.g.example.com': p('reject'), 'example.com': p('none') },
    from: 'a.b.c.d.e.f.g.example.com',
    want: { record: 'example.com', policy: 'none', organization: 'example.com' },
  },
  '§5.1.8: a psd=n that the shortcut jumps over is not found': {
    zone: { 'b.c.d.e.f.g.example.com': p('reject', '; psd=n'), 'example.com': p('quarantine') },
    from: 'mail.a.b.c.d.e.f.g.example.com',
    want: { record: 'example.com', effective: 'quarantine' },
  },
  '§4.10: the own record of a long name is found': {
    zone: { [LONG]: p('reject') },
    from: LONG,
    want: { record: LONG, policy: 'reject', effective: 'reject' },
  },
  '§4.10: a walk goes on past a record with psd=u': {
    zone: { 'mail.example.com': p('none', '; psd=u'), 'example.com': p('none') },
    want: { walk: ['mail.example.com', 'example.com', 'com'], organization: 'example.com' },
  },
  '§4.10: a walk stops at psd=n': {
    zone: { 'mail.example.com': p('none', '; psd=n'), 'example.com': p('none') },
    from: 'a.mail.example.com',
    want: { walk: ['a.mail.example.com', 'mail.example.com'], organization: 'mail.example.com' },
  },
  '§4.10: a walk stops at psd=n where it began': {
    zone: { 'mail.example.com': p('none', '; psd=n'), 'example.com': p('none') },
    want: { walk: ['mail.example.com'], organization: 'mail.example.com' },
  },
  '§4.10: a walk stops at psd=y where it began': {
    zone: { 'gov.example': p('none', '; psd=y'), example: p('none') },
    from: 'gov.example',
    want: { walk: ['gov.example'], organization: 'gov.example', record: 'gov.example' },
  },
  '§4.10.2: psd=y puts the organization one label below': {
    zone: { com: p('none', '; psd=y') },
    from: 'a.mail.example.com',
    want: { organization: 'example.com', record: 'com' },
  },
  '§4.10.2: psd=y in the middle of the tree': {
    zone: { 'example.com': p('none', '; psd=y'), com: p('reject') },
    from: 'a.mail.example.com',
    want: { organization: 'mail.example.com', record: 'example.com', policy: 'none' },
  },
  '§4.10.2: psd=n wins over a record further up': {
    zone: { 'mail.example.com': p('none', '; psd=n'), com: p('reject', '; psd=y') },
    from: 'a.mail.example.com',
    want: { organization: 'mail.example.com', record: 'mail.example.com' },
  },
  '§4.10.2: the record with the fewest labels is the organization': {
    zone: { 'mail.example.com': p('none'), 'example.com': p('reject') },
    from: 'a.mail.example.com',
    want: { organization: 'example.com', record: 'example.com', effective: 'reject' },
  },
  '§4.10.2: without any record the domain is its own organization': {
    zone: {},
    from: 'a.mail.example.com',
    want: { organization: 'a.mail.example.com', result: 'none', policy: null, record: null },
  },
  '§4.10.2: a record at a top-level domain without psd= is an organization': {
    zone: { com: p('reject') },
    from: 'example.com',
    want: { organization: 'com', record: 'com', effective: 'reject' },
  },
  '§4.10: several records at one name count as none': {
    zone: { 'mail.example.com': [p('none'), p('reject')], 'example.com': p('quarantine') },
    want: { record: 'example.com', effective: 'quarantine' },
  },
  '§4.10: several records and nothing above': {
    zone: { 'example.com': [p('none'), p('reject')] },
    from: 'example.com',
    spf: 'example.com',
    want: { result: 'none', policy: null },
  },
  '§4.10: other TXT records beside it do not count': {
    zone: { 'example.com': ['v=spf1 -all', p('reject'), 'hello'] },
    from: 'example.com',
    want: { record: 'example.com', policy: 'reject' },
  },
  '§4.10: psd=y among several records is not seen': {
    zone: { com: [p('none', '; psd=y'), p('none')], 'example.com': p('none') },
    from: 'a.example.com',
    want: { organization: 'example.com' },
  },
  '§4.8: psd= is read in any case': {
    zone: { com: p('none', '; PSD=Y') },
    from: 'a.example.com',
    want: { organization: 'example.com' },
  },
  '§4.8: a psd= of another value is u': {
    zone: { com: p('none', '; psd=maybe') },
    from: 'a.example.com',
    want: { organization: 'com' },
  },
  'NODATA is no record, as NXDOMAIN is': {
    zone: { 'mail.example.com': 'NODATA', 'example.com': p('reject') },
    want: { record: 'example.com' },
  },
  '§5.3.6: SERVFAIL at the name itself leaves everything open': {
    zone: { 'mail.example.com': 'SERVFAIL', 'example.com': p('reject') },
    spf: 'mail.example.com',
    want: { result: 'temperror' },
  },
  '§5.3.6: SERVFAIL on the way up leaves the organization open': {
    zone: { 'example.com': 'SERVFAIL' },
    want: { result: 'temperror' },
  },
  'SERVFAIL above does not matter to the own record': {
    zone: { 'mail.example.com': p('reject'), 'example.com': 'SERVFAIL' },
    want: { result: 'fail', record: 'mail.example.com', disposition: 'reject' },
  },
  'SERVFAIL above psd=n is never met': {
    zone: { 'mail.example.com': p('reject', '; psd=n'), 'example.com': 'SERVFAIL' },
    from: 'a.mail.example.com',
    want: { result: 'fail', organization: 'mail.example.com' },
  },
  'SERVFAIL at the top-level domain leaves the record below open': {
    zone: { 'example.com': p('reject'), com: 'SERVFAIL' },
    from: 'a.example.com',
    want: { result: 'temperror' },
  },
  'a time-out is like SERVFAIL': {
    zone: { 'example.com': 'TIMEOUT' },
    from: 'example.com',
    want: { result: 'temperror' },
  },
  '§5.3.1: a U-label is asked as its A-label': {
    zone: { 'xn--bcher-kva.example': p('reject') },
    from: 'bücher.example',
    want: { record: 'xn--bcher-kva.example', result: 'fail' },
  },
  'a U-label below an A-label record': {
    zone: { 'xn--bcher-kva.example': p('reject', '; sp=none') },
    from: 'post.bücher.example',
    want: { organization: 'xn--bcher-kva.example', effective: 'none' },
  },
  'the From domain is compared without case': {
    zone: { 'example.com': p('reject') },
    from: 'EXAMPLE.Com',
    spf: 'example.com',
    want: { result: 'pass', alignment: 'strict/none' },
  },
};
