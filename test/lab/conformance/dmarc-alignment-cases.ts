/** Lists DMARC cases about which SPF and DKIM passes count as aligned (RFC 9989 §4.4, §4.10.2, §5.3). */

import { type DmarcCase, type DmarcWant, FROM } from './dmarc-case.ts';

const RELAXED = { 'example.com': 'v=DMARC1; p=reject' };
const STRICT = { 'example.com': 'v=DMARC1; p=reject; adkim=s; aspf=s' };

const pass = (alignment: string): DmarcWant => ({ result: 'pass', alignment, disposition: 'none' });
const FAIL: DmarcWant = { result: 'fail', alignment: 'none/none', disposition: 'reject' };
const OPEN: DmarcWant = { result: 'temperror', disposition: 'none' };

/** Cases of whose pass counts (RFC 9989 §4.4, §4.10.2, §5.3). */
export const alignmentCases: Readonly<Record<string, DmarcCase>> = {
  '§4.4.2: SPF, the same domain': { zone: RELAXED, spf: FROM, want: pass('strict/none') },
  '§4.4.1: DKIM, the same domain': { zone: RELAXED, dkim: [FROM], want: pass('none/strict') },
  '§4.4.2: SPF of a parent is relaxed': {
    zone: RELAXED,
    spf: 'example.com',
    want: pass('relaxed/none'),
  },
  '§4.4.1: DKIM of a child is relaxed': {
    zone: RELAXED,
    from: 'example.com',
    dkim: ['news.example.com'],
    want: pass('none/relaxed'),
  },
  '§4.4.1: DKIM of a sibling is relaxed': {
    zone: RELAXED,
    dkim: ['news.example.com'],
    want: pass('none/relaxed'),
  },
  '§4.4.2: aspf=s takes no parent': { zone: STRICT, spf: 'example.com', want: FAIL },
  '§4.4.1: adkim=s takes no parent': { zone: STRICT, dkim: ['example.com'], want: FAIL },
  '§4.4.1: adkim=s takes the same domain': {
    zone: STRICT,
    dkim: ['example.com', FROM],
    want: pass('none/strict'),
  },
  '§4.4: adkim=s leaves aspf relaxed': {
    zone: { 'example.com': 'v=DMARC1; p=reject; adkim=s' },
    spf: 'example.com',
    dkim: ['example.com'],
    want: pass('relaxed/none'),
  },
  '§4.4: one aligned signature among many is enough': {
    zone: RELAXED,
    dkim: ['example.net', 'esp.example', 'example.com'],
    want: pass('none/relaxed'),
  },
  '§5.3.5: what passes for others does not count': {
    zone: RELAXED,
    spf: 'example.net',
    dkim: ['esp.example'],
    want: FAIL,
  },
  '§5.3.5: nothing passed': { zone: RELAXED, want: FAIL },
  'a name that only ends alike is another domain': {
    zone: RELAXED,
    from: 'example.com',
    spf: 'badexample.com',
    want: FAIL,
  },
  'two registrations below one suffix are no organization': {
    zone: { 'a.example': 'v=DMARC1; p=reject', 'b.example': 'v=DMARC1; p=reject' },
    from: 'a.example',
    spf: 'b.example',
    want: FAIL,
  },
  '§4.10.2: psd=y parts what is one label below': {
    zone: { bank: 'v=DMARC1; p=reject; psd=y' },
    from: 'giant.bank',
    spf: 'tiny.bank',
    want: FAIL,
  },
  '§4.10.2: psd=y keeps together what is below one label': {
    zone: { bank: 'v=DMARC1; p=reject; psd=y' },
    from: 'giant.bank',
    spf: 'mail.giant.bank',
    want: pass('relaxed/none'),
  },
  '§4.10.2: a public suffix is not aligned with what is below it': {
    zone: { bank: 'v=DMARC1; p=reject; psd=y' },
    from: 'giant.bank',
    spf: 'bank',
    want: FAIL,
  },
  '§4.10.2: psd=n parts a department from the whole': {
    zone: { ...RELAXED, 'shop.example.com': 'v=DMARC1; p=reject; psd=n' },
    from: 'shop.example.com',
    spf: 'example.com',
    want: FAIL,
  },
  '§4.10.2: psd=n keeps a department together': {
    zone: { ...RELAXED, 'shop.example.com': 'v=DMARC1; p=reject; psd=n' },
    from: 'a.shop.example.com',
    dkim: ['b.shop.example.com'],
    want: pass('none/relaxed'),
  },
  '§4.10.2: a record of its own does not part a subdomain': {
    zone: { ...RELAXED, 'mail.example.com': 'v=DMARC1; p=reject' },
    spf: 'news.example.com',
    want: pass('relaxed/none'),
  },
  '§4.10.2: without a record at the parent siblings are strangers': {
    zone: { 'mail.example.com': 'v=DMARC1; p=reject' },
    spf: 'news.example.com',
    want: FAIL,
  },
  '§4.10.2: a record at the suffix aligns what the list would part': {
    zone: { 'co.example': 'v=DMARC1; p=reject' },
    from: 'a.co.example',
    spf: 'b.co.example',
    want: pass('relaxed/none'),
  },
  '§5.3.6: a signature that did not answer leaves it open': {
    zone: RELAXED,
    dkim: ['example.com undecided'],
    want: OPEN,
  },
  '§5.3.6: an aligned pass settles it all the same': {
    zone: RELAXED,
    spf: FROM,
    dkim: ['example.com undecided'],
    want: pass('strict/none'),
  },
  'a stranger that did not answer changes nothing': {
    zone: RELAXED,
    dkim: ['esp.example undecided'],
    want: FAIL,
  },
  'under adkim=s a parent that did not answer changes nothing': {
    zone: STRICT,
    dkim: ['example.com undecided'],
    want: FAIL,
  },
  '§5.3.6: SERVFAIL on the walk of the identifier leaves it open': {
    zone: { ...RELAXED, 'news.example.com': 'SERVFAIL' },
    spf: 'news.example.com',
    want: OPEN,
  },
  'strict alignment needs no walk that fails': {
    zone: { ...STRICT, 'mail.example.com': STRICT['example.com'], 'news.example.com': 'SERVFAIL' },
    spf: 'news.example.com',
    want: FAIL,
  },
  'an identifier of ten labels is walked by the shortcut': {
    zone: RELAXED,
    dkim: ['a.b.c.d.e.f.g.h.example.com'],
    want: pass('none/relaxed'),
  },
  'a U-label aligns with its A-label': {
    zone: { 'xn--bcher-kva.example': 'v=DMARC1; p=reject' },
    from: 'bücher.example',
    dkim: ['xn--bcher-kva.example'],
    want: pass('none/strict'),
  },
  '§5.3.2: without a record there is nothing to pass': {
    zone: {},
    spf: FROM,
    want: { result: 'none', disposition: 'none' },
  },
};
