/** Lists DMARC cases about which record counts, and which policy it requests. */

import type { DmarcCase, DmarcWant, DmarcZone } from './dmarc-case.ts';

const RUA = 'rua=mailto:d@example.com';

/** Builds a case with one record at the From domain itself. */
const own = (record: string, want: DmarcWant): DmarcCase => ({
  zone: { 'example.com': record },
  from: 'example.com',
  want,
});

/** Builds a case with one record at the organizational domain, and an email from below it. */
const below = (
  record: string,
  exists: boolean | null,
  want: DmarcWant,
  zone: DmarcZone = {},
): DmarcCase => ({
  zone: { 'example.com': record, ...zone },
  from: 'a.example.com',
  exists,
  want,
});

const NONE: DmarcWant = { result: 'none', policy: null };
const reject: DmarcWant = { policy: 'reject', effective: 'reject', result: 'fail' };

/** Cases of which records count, and which policy they request (RFC 9989 §4.7, §4.10.1). */
export const policyCases: Readonly<Record<string, DmarcCase>> = {
  '§4.7: p=none': own('v=DMARC1; p=none', { policy: 'none', result: 'fail', disposition: 'none' }),
  '§4.7: p=quarantine': own('v=DMARC1; p=quarantine', { disposition: 'quarantine' }),
  '§4.7: p=reject': own('v=DMARC1; p=reject', { ...reject, disposition: 'reject' }),
  '§4.8: no spaces': own('v=DMARC1;p=reject;', reject),
  '§4.8: spaces around everything': own(' v = DMARC1 ; p = reject ; ', reject),
  '§4.8: tabs': own('v=DMARC1;\tp\t=\treject', reject),
  '§4.8: the name of v may be upper case': own('V=DMARC1; p=reject', reject),
  '§4.7: the value of v is exact': own('v=dmarc1; p=reject', NONE),
  '§4.7: another version': own('v=DMARC2; p=reject', NONE),
  '§4.7: DMARC10 is another version': own('v=DMARC10; p=reject', NONE),
  '§4.7: v comes first': own('p=reject; v=DMARC1', NONE),
  '§4.7: v is there': own('p=reject', NONE),
  '§4.8: the first separator is there': own('v=DMARC1 p=reject', NONE),
  '§4.8: values are read in any case': own('v=DMARC1; p=Reject', reject),
  '§4.8: tag names are read in any case': own('v=DMARC1; P=reject', reject),
  '§4.7: unknown tags are ignored': own('v=DMARC1; x=y; p=reject; zz=1', reject),
  '§4.8: what is no tag is ignored': own('v=DMARC1; nonsense; p=reject', reject),
  '§4.8: p need not be second': own(`v=DMARC1; ${RUA}; p=reject`, reject),
  '§A.6: pct is gone': own('v=DMARC1; p=reject; pct=0', reject),
  '§C.5.2: rf and ri are gone': own('v=DMARC1; p=reject; rf=afrf; ri=86400', reject),
  '§4.7: sp does not touch the domain itself': own('v=DMARC1; p=reject; sp=none', reject),
  '§4.7: np does not touch the domain itself': own('v=DMARC1; p=reject; np=none', reject),
  '§4.10.1: no p, rua': own(`v=DMARC1; ${RUA}`, { policy: 'none', effective: 'none' }),
  '§4.10.1: no p, no rua': own('v=DMARC1', NONE),
  '§4.10.1: no p, only ruf': own('v=DMARC1; ruf=mailto:d@example.com', NONE),
  '§4.10.1: unusable p, rua': own(`v=DMARC1; p=drop; ${RUA}`, { policy: 'none' }),
  '§4.10.1: unusable p, no rua': own('v=DMARC1; p=drop', NONE),
  '§4.10.1: empty p, rua': own(`v=DMARC1; p=; ${RUA}`, { policy: 'none' }),
  '§4.10.1: unusable p, a rua that is no URI': own('v=DMARC1; p=drop; rua=d@example.com', NONE),
  '§4.10.1: unusable p, one of two rua usable': own(
    `v=DMARC1; p=x; rua=nobody,mailto:d@a.example`,
    {
      policy: 'none',
    },
  ),
  '§4.10.1: any scheme is a URI': own('v=DMARC1; p=x; rua=https://example.com/r', {
    policy: 'none',
  }),
  '§4.10.1: unusable sp, rua': own(`v=DMARC1; p=reject; sp=drop; ${RUA}`, {
    policy: 'none',
    effective: 'none',
  }),
  '§4.10.1: unusable sp, no rua': own('v=DMARC1; p=reject; sp=drop', NONE),
  '§4.10.1: unusable np, rua': own(`v=DMARC1; p=reject; np=drop; ${RUA}`, { policy: 'none' }),
  '§4.10.1: unusable np, no rua': own('v=DMARC1; p=reject; np=drop', NONE),
  '§4.8: an unusable adkim is r': own('v=DMARC1; p=reject; adkim=x', reject),
  '§4.8: an unusable t is n': own('v=DMARC1; p=reject; t=maybe', reject),
  '§4.7: t=y lowers reject': own('v=DMARC1; p=reject; t=y', {
    policy: 'reject',
    effective: 'quarantine',
    disposition: 'quarantine',
  }),
  '§4.7: t=y lowers quarantine': own('v=DMARC1; p=quarantine; t=y', { effective: 'none' }),
  '§4.7: t=y leaves none': own('v=DMARC1; p=none; t=y', { effective: 'none' }),
  '§4.7: t=n lowers nothing': own('v=DMARC1; p=reject; t=n', reject),
  '§4.10.1: an unusable own record is not made up for above': below(
    'v=DMARC1; p=none',
    true,
    NONE,
    {
      'a.example.com': 'v=DMARC1; p=drop',
    },
  ),

  '§4.10.1: p without sp': below('v=DMARC1; p=reject', true, { ...reject, record: 'example.com' }),
  '§4.10.1: sp for what exists': below('v=DMARC1; p=reject; sp=none', true, { effective: 'none' }),
  '§4.10.1: sp without np': below('v=DMARC1; p=none; sp=reject', false, { effective: 'reject' }),
  '§4.10.1: p without sp and np': below('v=DMARC1; p=reject', false, { effective: 'reject' }),
  '§4.10.1: np for what does not exist': below('v=DMARC1; p=none; sp=none; np=reject', false, {
    effective: 'reject',
  }),
  '§4.10.1: np not for what exists': below('v=DMARC1; p=none; np=reject', true, {
    effective: 'none',
  }),
  '§4.7: t lowers sp': below('v=DMARC1; p=none; sp=reject; t=y', true, { effective: 'quarantine' }),
  '§4.7: t lowers np': below('v=DMARC1; p=none; np=quarantine; t=y', false, { effective: 'none' }),
  'np and sp agree where existence is not known': below('v=DMARC1; p=none; sp=reject', null, {
    result: 'fail',
    effective: 'reject',
  }),
  'np and sp differ where it is not known': below('v=DMARC1; p=none; sp=reject; np=none', null, {
    result: 'temperror',
  }),
  '§4.10.1: an own record has no sp of the parent': below(
    'v=DMARC1; p=none; sp=none',
    true,
    reject,
    {
      'a.example.com': 'v=DMARC1; p=reject',
    },
  ),
  '§4.10.1: sp of an own record is not for itself': below('v=DMARC1; p=none', true, reject, {
    'a.example.com': 'v=DMARC1; p=reject; sp=none',
  }),
  '§4.10.1: a record between the domain and its organization is not used': {
    zone: { 'b.example.com': 'v=DMARC1; p=none', 'example.com': 'v=DMARC1; p=reject' },
    from: 'a.b.example.com',
    want: { ...reject, record: 'example.com' },
  },
  '§4.10.1: a public suffix speaks where the organization is silent, by sp': {
    zone: { bank: 'v=DMARC1; p=none; sp=reject; psd=y' },
    from: 'giant.bank',
    want: { record: 'bank', policy: 'none', effective: 'reject', organization: 'giant.bank' },
  },
  '§4.10.1: and by np for what does not exist': {
    zone: { bank: 'v=DMARC1; p=none; sp=none; np=reject; psd=y' },
    from: 'mail.giant.bank',
    exists: false,
    want: { record: 'bank', effective: 'reject' },
  },
  '§4.10.1: a public suffix does not speak for an organization with a record': {
    zone: { bank: 'v=DMARC1; p=reject; psd=y', 'giant.bank': 'v=DMARC1; p=none' },
    from: 'mail.giant.bank',
    want: { record: 'giant.bank', effective: 'none', organization: 'giant.bank' },
  },
  '§4.10.1: of a public suffix that sends mail, p counts': {
    zone: { bank: 'v=DMARC1; p=reject; sp=none; psd=y' },
    from: 'bank',
    want: { record: 'bank', effective: 'reject' },
  },
  '§4.10.1: psd=y with neither p nor rua asks for nothing': {
    zone: { bank: 'v=DMARC1; psd=y' },
    from: 'giant.bank',
    want: { ...NONE, organization: 'giant.bank' },
  },
  '§4.10.1: psd=y without p but with rua is p=none': {
    zone: { bank: `v=DMARC1; psd=y; ${RUA}` },
    from: 'giant.bank',
    want: { record: 'bank', policy: 'none', effective: 'none' },
  },
};
