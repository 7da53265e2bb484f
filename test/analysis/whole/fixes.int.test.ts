import { afterAll, beforeAll, expect, test } from 'vitest';
import { IP } from '../../support/mail/inspection-environment.ts';
import type { Case } from './case.ts';
import { startWholeEnvironment, type WholeEnvironment } from './environment.ts';
import { keyRecord, keys, SIGNED, signature } from './keys.ts';
import { newsletter } from './mails.ts';
import { dmarc, KEY, ORIGIN, PTR, RIGHT_SPF, spf } from './zone.ts';

let environment: WholeEnvironment;
beforeAll(async () => {
  environment = await startWholeEnvironment();
});
afterAll(() => environment.stop());

const p = keys.rsa2048.p;
const RUA = 'rua=mailto:dmarc@example.com';

/** The IP is of a shared pool, and says so in both directions. */
const POOL = 'o1.sendgrid.net';
const ofPool = { [PTR]: { PTR: [POOL] }, [POOL]: { A: [IP] } };

/** A sender who follows a fix publishes what it prints: the sender's own record, corrected. */
const fixes: readonly [id: string, about: Omit<Case, 'about' | 'states'>, fix: string][] = [
  [
    'spf_record',
    { zone: { 'example.com': ORIGIN } },
    `Publish TXT example.com "v=spf1 ip4:${IP} -all", with the include: of every other service that sends for it.`,
  ],
  [
    'spf_multiple_records',
    { zone: spf('v=spf1 include:_spf.example.net ~all', 'v=spf1 mx -all') },
    'Merge the records into one TXT at example.com: "v=spf1 include:_spf.example.net mx ~all", and delete the others.',
  ],
  [
    'spf_result',
    { zone: spf('v=spf1 ip4:192.0.2.1 mx:mx.example.net ~all') },
    `Let the sending IP in before the term that decides: publish TXT example.com "v=spf1 ip4:192.0.2.1 mx:mx.example.net ip4:${IP} ~all". If it is a provider's, its include: belongs in place of ip4:${IP}.`,
  ],
  [
    'spf_result',
    { zone: spf(`v=spf1 include:nothing.example.com ip4:${IP} -all`) },
    `Let the sending IP in before the term that decides: publish TXT example.com "v=spf1 ip4:${IP} -all". If it is a provider's, its include: belongs in place of ip4:${IP}.`,
  ],
  [
    'spf_result',
    { client: { helo: POOL }, zone: { ...spf('v=spf1 mx:mx.example.net -all'), ...ofPool } },
    'Let your provider in before the term that decides: publish TXT example.com "v=spf1 mx:mx.example.net include:sendgrid.net -all".',
  ],
  [
    'from_display_name',
    { mail: newsletter({ From: 'news@example.com' }) },
    "Write your name or your company's alone as the display name.",
  ],
  [
    'spf_lookup_limit',
    {
      zone: {
        ...spf(`v=spf1 ip4:${IP} include:heavy.example.net a -all`),
        'heavy.example.net': {
          TXT: [`v=spf1 ${'a:example.com '.repeat(9)}-all`],
        },
      },
    },
    'Remove include: terms that are not needed any more; 11 of 10 lookups are used, include:heavy.example.net has the most.',
  ],
  [
    'spf_all_qualifier',
    {
      zone: {
        ...spf(`v=spf1 ip4:${IP} include:spf.example.net ?all`),
        'spf.example.net': { TXT: ['v=spf1 -all'] },
      },
    },
    `End the record with "-all" (or "~all" once DMARC is enforced): publish TXT example.com "v=spf1 ip4:${IP} include:spf.example.net -all".`,
  ],
  [
    'spf_syntax',
    { zone: spf(`v=spf1 ipv4:${IP} -all`) },
    `Publish TXT example.com "v=spf1 ip4:${IP} -all".`,
  ],
  [
    'spf_helo',
    { zone: { 'mail.example.com': { A: [IP] } } },
    'Publish TXT mail.example.com "v=spf1 a -all".',
  ],
  [
    'dkim_present',
    { signatures: [] },
    'Turn on DKIM with d=example.com in your mail system and publish TXT SELECTOR._domainkey.example.com "v=DKIM1; k=rsa; p=PUBLICKEY".',
  ],
  [
    'dkim_valid',
    { zone: { [KEY]: null } },
    'Publish the public half of the signing key: TXT s1._domainkey.example.com "v=DKIM1; k=rsa; p=PUBLICKEY".',
  ],
  [
    'dkim_headers_signed',
    { signatures: [signature({ h: SIGNED.filter((name) => !/^(?:to|subject)$/.test(name)) })] },
    'Add to the signed header list (h=) of example.com: Subject, To.',
  ],
  [
    'dkim_key_record',
    { zone: { [KEY]: { TXT: [`k=rsa; h=sha1; g=*; p=${p}`] } } },
    `Publish exactly one TXT at s1._domainkey.example.com: "v=DKIM1; k=rsa; p=${p}".`,
  ],
  [
    'dkim_valid',
    { zone: { [KEY]: { TXT: [`v=DKIM1; k=rsa; p=${p.slice(0, 200)}`] } } },
    'Publish a usable key: TXT s1._domainkey.example.com "v=DKIM1; k=rsa; p=PUBLICKEY".',
  ],
  [
    'dkim_key_record',
    { zone: { [KEY]: { TXT: [`v=DKIM1; k=rsa; p=${p.slice(0, 200)}`] } } },
    'Publish the whole key, in several strings of one TXT where one holds no more than 255 characters: TXT s1._domainkey.example.com "v=DKIM1; k=rsa; p=PUBLICKEY".',
  ],
  [
    'dkim_key_record',
    { zone: { [KEY]: { TXT: [keyRecord.slice(250), keyRecord.slice(0, 250)] } } },
    `A key longer than one string is one TXT of several strings, not several TXT: publish exactly one at s1._domainkey.example.com, cut into strings of 255 characters at most. Joined it is TXT s1._domainkey.example.com "${keyRecord}".`,
  ],
  [
    'dkim_key_testing',
    { zone: { [KEY]: { TXT: [`${keyRecord}; t=y`] } } },
    `Publish TXT s1._domainkey.example.com "${keyRecord}", without t=y.`,
  ],
  [
    'dmarc_record',
    { zone: { '_dmarc.example.com': null } },
    'Publish TXT _dmarc.example.com "v=DMARC1; p=none; rua=mailto:dmarc@example.com".',
  ],
  [
    'dmarc_record_valid',
    { zone: dmarc(`v=dmarc1; P=Reject; ${RUA}; foo=bar; pct=100`) },
    `Keep exactly one TXT at _dmarc.example.com: "v=DMARC1; p=reject; ${RUA}".`,
  ],
  [
    'dmarc_policy',
    { zone: dmarc(`v=DMARC1; p=none; sp=none; ${RUA}; adkim=s`) },
    `First mend the record: publish TXT _dmarc.example.com "v=DMARC1; p=none; sp=none; np=reject; adkim=s; ${RUA}". Once the aggregate reports show no mail of yours failing, make it "v=DMARC1; p=quarantine; np=reject; adkim=s; ${RUA}", and reject later.`,
  ],
  [
    'dmarc_policy',
    { zone: dmarc(`v=DMARC1; p=rejct; ${RUA}`) },
    `First mend the record: publish TXT _dmarc.example.com "v=DMARC1; p=none; ${RUA}". Once the aggregate reports show no mail of yours failing, make it "v=DMARC1; p=quarantine; ${RUA}", and reject later.`,
  ],
  ...[
    `"v=DMARC1; p=reject; ${RUA}"`,
    `v=DMARC1, p=reject, ${RUA}`,
    `p=reject; v=DMARC1; ${RUA}`,
    `v=DMARC1 p=reject ${RUA}`,
    'v=DMARC1; v=DMARC1; p=reject; p=reject; sp=oops; rua=dmarc@example.com',
    'v=DMARC1; p=reject; rua=mailto: dmarc@example.com',
  ].map((record): (typeof fixes)[number] => [
    record.includes('mailto: ') ? 'dmarc_rua' : 'dmarc_record_valid',
    { zone: dmarc(record) },
    record.includes('mailto: ')
      ? `Publish TXT _dmarc.example.com "v=DMARC1; p=reject; ${RUA}": without reports nobody tells you which mail fails.`
      : `Keep exactly one TXT at _dmarc.example.com: "v=DMARC1; p=reject; ${RUA}".`,
  ]),
  [
    'dmarc_record',
    {
      zone: {
        '_dmarc.example.com': { CNAME: 'hop.provider.example' },
        'hop.provider.example': { CNAME: 'end.provider.example' },
      },
    },
    'Publish TXT _dmarc.example.com "v=DMARC1; p=none; rua=mailto:dmarc@example.com". _dmarc.example.com is an alias (CNAME) of end.provider.example: change the record there, or put it in place of the alias.',
  ],
  [
    'spf_all_qualifier',
    {
      zone: {
        ...spf(`v=spf1 ip4:${IP} include:alias.example.com ?all`),
        'alias.example.com': { CNAME: 'end.provider.example' },
        'end.provider.example': { TXT: ['v=spf1 -all'] },
      },
    },
    `End the record with "-all" (or "~all" once DMARC is enforced): publish TXT example.com "v=spf1 ip4:${IP} include:alias.example.com -all".`,
  ],
  [
    'dkim_valid',
    { zone: { [KEY]: { CNAME: 'end.provider.example' } } },
    'Publish the public half of the signing key: TXT s1._domainkey.example.com "v=DKIM1; k=rsa; p=PUBLICKEY". s1._domainkey.example.com is an alias (CNAME) of end.provider.example: change the record there, or put it in place of the alias.',
  ],
  [
    'spf_void_lookups',
    {
      zone: {
        ...spf(
          `v=spf1 ip4:${IP} include:one.example.net include:two.example.net a:gone.example.net -all`,
        ),
        'one.example.net': { TXT: ['v=spf1 a:x.example.net -all'] },
        'two.example.net': { TXT: ['v=spf1 mx:y.example.net exists:z.example.net -all'] },
      },
    },
    `Take out what leads to names that resolve to nothing, include:two.example.net (with mx:y.example.net and exists:z.example.net), until its owner has mended it: publish TXT example.com "v=spf1 ip4:${IP} include:one.example.net -all".`,
  ],
  [
    'spf_void_lookups',
    {
      zone: {
        ...spf(`v=spf1 ip4:${IP} a:h0.example.com a:h1.example.com/24//64 ~a:h2.example.com -all`),
        'h0.example.com': { AAAA: ['2001:db8::1'] },
        'h1.example.com': { AAAA: ['2001:db8::2'] },
        'h2.example.com': { AAAA: ['2001:db8::3'] },
      },
    },
    `Name the addresses of what has none for the family of the sending IP, a:h0.example.com, a:h1.example.com/24//64 and ~a:h2.example.com: publish TXT example.com "v=spf1 ip4:${IP} ip6:2001:db8::1 ip6:2001:db8::2/64 ~ip6:2001:db8::3 -all".`,
  ],
  [
    'spf_all_qualifier',
    {
      zone: {
        ...spf(`v=spf1 include:one.example.net include:two.example.net -all`),
        'one.example.net': { TXT: ['v=spf1 a:example.com -all'] },
        'two.example.net': { TXT: ['v=spf1 include:open.example.net -all'] },
        'open.example.net': { TXT: ['v=spf1 +all'] },
      },
    },
    `Take out what lets nearly everybody in, include:two.example.net (with +all), and name what sends for you instead: publish TXT example.com "v=spf1 include:one.example.net ip4:${IP} -all".`,
  ],
  [
    'spf_result',
    { zone: spf('v=spf1 a include:%{l}._spf.%{d} -all') },
    `The name that include:%{l}._spf.%{d} asks for is made for each mail, and for this one it leads to no usable record: let the sending IP in before it, publish TXT example.com "v=spf1 a ip4:${IP} include:%{l}._spf.%{d} -all".`,
  ],
  [
    'spf_syntax',
    { zone: spf(`v=spf1 ip4:${IP} ptr exists:%{p}.example.com -all`) },
    `Name what sends instead of asking for reverse names (ptr, macro p), which RFC 7208 §5.5 says not to publish: publish TXT example.com "v=spf1 ip4:${IP} a -all".`,
  ],
  [
    'dmarc_rua',
    {
      zone: {
        ...dmarc('v=DMARC1; p=reject; rua=mailto:a@reports.example.net'),
        'reports.example.net': ORIGIN,
      },
    },
    `Let the owner of reports.example.net publish TXT example.com._report._dmarc.reports.example.net "v=DMARC1", or take reports yourself: TXT _dmarc.example.com "v=DMARC1; p=reject; ${RUA}".`,
  ],
  [
    'rdns_ptr',
    { zone: { [PTR]: null } },
    `Your sending address ${IP} has no reverse DNS name. Ask the owner of the address (your hosting company or cloud console) to set PTR ${IP} to mail.example.com.`,
  ],
  [
    'rdns_fcrdns',
    { zone: { [PTR]: { PTR: ['gone.example.com'] } } },
    `The reverse name of ${IP} does not lead back to it. Publish A gone.example.com ${IP}.`,
  ],
  [
    'helo_valid',
    { client: { helo: 'localhost' } },
    'Your server greets with a HELO name that others cannot use. Set it to the reverse name of your address (in Postfix: smtp_helo_name = mail.example.com).',
  ],
  [
    'from_domain_mx',
    { zone: { 'example.com': { A: ['192.0.2.80'], TXT: [RIGHT_SPF] } } },
    'example.com has no MX record, so senders of replies try its web address. Publish MX example.com 10 example.com, or the host that takes your mail.',
  ],
  [
    'mta_sts',
    { zone: { '_mta-sts.example.com': null } },
    'Publish TXT _mta-sts.example.com "v=STSv1; id=20261120100005" and serve https://mta-sts.example.com/.well-known/mta-sts.txt as text/plain, each on its own line: "version: STSv1", "mode: testing", "mx: mail.example.com", "max_age: 604800". Begin with mode: testing until TLS-RPT reports are clean, then serve mode: enforce with another id=.',
  ],
  [
    'tls_rpt',
    { zone: { '_smtp._tls.example.com': null } },
    'Publish TXT _smtp._tls.example.com "v=TLSRPTv1; rua=mailto:tls@example.com".',
  ],
  [
    'list_unsubscribe',
    { mail: newsletter({ 'List-Unsubscribe': null }) },
    'Mail clients offer no way to unsubscribe from this mail, so readers report it as spam. Add List-Unsubscribe: <https://example.com/u/TOKEN>, <mailto:unsub@example.com?subject=TOKEN> and List-Unsubscribe-Post: List-Unsubscribe=One-Click, both in the DKIM signature (h=).',
  ],
  [
    'date_header',
    { mail: newsletter({ Date: null }) },
    'Receivers cannot read when this mail was sent. Set Date when you send, in this form: "Fri, 20 Nov 2026 10:00:05 +0000"',
  ],
];

test.each(fixes)('%s (%#) prints what to publish', async (id, about, fix) => {
  const { report } = await environment.analyze(about);
  expect(report.findings.find((finding) => finding.id === id)?.fix).toBe(fix);
});
