import { afterAll, beforeAll, expect, test } from 'vitest';
import { IP } from '../../support/gather-world.ts';
import type { Case } from './case.ts';
import { keyRecord, keys, SIGNED, signature } from './keys.ts';
import { newsletter } from './mails.ts';
import { startWholeWorld, type WholeWorld } from './world.ts';
import { dmarc, KEY, ORIGIN, PTR, RIGHT_SPF, spf } from './zone.ts';

let world: WholeWorld;
beforeAll(async () => {
  world = await startWholeWorld();
});
afterAll(() => world.stop());

const p = keys.rsa2048.p;
const RUA = 'rua=mailto:dmarc@example.com';

/** Whoever follows a fix publishes what it prints: the sender's own record, corrected. */
const fixes: readonly [id: string, about: Omit<Case, 'about' | 'states'>, fix: string][] = [
  [
    'spf_record',
    { zone: { 'example.com': ORIGIN } },
    `Publish TXT example.com "v=spf1 ip4:${IP} -all", with your provider's include: if you send through one.`,
  ],
  [
    'spf_multiple_records',
    { zone: spf('v=spf1 include:_spf.example.net ~all', 'v=spf1 mx -all') },
    'Merge the records into one TXT at example.com: "v=spf1 include:_spf.example.net mx ~all", and delete the others.',
  ],
  [
    'spf_result',
    { zone: spf('v=spf1 ip4:192.0.2.1 mx:mx.example.net ~all') },
    `Add "ip4:${IP}" (or your provider's include:) before the all term of TXT example.com: "v=spf1 ip4:192.0.2.1 mx:mx.example.net ip4:${IP} ~all".`,
  ],
  [
    'spf_result',
    { zone: spf(`v=spf1 include:nothing.example.com ip4:${IP} -all`) },
    `Add "ip4:${IP}" (or your provider's include:) before the all term of TXT example.com: "v=spf1 ip4:${IP} -all".`,
  ],
  [
    'from_display_name',
    { mail: newsletter({ From: 'news@example.com' }) },
    "Write the sender's name alone as the display name.",
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
    'Remove unused include: terms; 11 of 10 look-ups are used, the heaviest is include:heavy.example.net.',
  ],
  [
    'spf_all_qualifier',
    { zone: spf(`v=spf1 ip4:${IP} include:spf.example.net ?all`) },
    `End the record with "-all" (or "~all" once DMARC is enforced): "v=spf1 ip4:${IP} include:spf.example.net -all".`,
  ],
  ['spf_syntax', { zone: spf(`v=spf1 ipv4:${IP} -all`) }, `Replace "ipv4:${IP}" with "ip4:${IP}".`],
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
    'Body hash differs: sign last, after footers and link rewriting. No key: publish TXT s1._domainkey.example.com. Bad signature: check that the private key matches the published one.',
  ],
  [
    'dkim_headers_signed',
    { signatures: [signature({ h: SIGNED.filter((name) => !/^(?:to|subject)$/.test(name)) })] },
    'Add to the signed header list: Subject, To.',
  ],
  [
    'dkim_key_record',
    { zone: { [KEY]: { TXT: [`k=rsa; h=sha1; g=*; p=${p}`] } } },
    `Publish exactly one TXT at s1._domainkey.example.com: "v=DKIM1; k=rsa; p=${p}".`,
  ],
  [
    'dkim_key_testing',
    { zone: { [KEY]: { TXT: [`${keyRecord}; t=y`] } } },
    'Remove "t=y" from TXT s1._domainkey.example.com.',
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
    `Once the aggregate reports are clean publish "v=DMARC1; p=quarantine; sp=none; adkim=s; ${RUA}": p=quarantine first, then p=reject.`,
  ],
  [
    'dmarc_rua',
    {
      zone: {
        ...dmarc('v=DMARC1; p=reject; rua=mailto:a@reports.example.net'),
        'reports.example.net': ORIGIN,
      },
    },
    'Add rua=mailto:dmarc@example.com; for an address elsewhere publish TXT example.com._report._dmarc.reports.example.net "v=DMARC1".',
  ],
  [
    'rdns_ptr',
    { zone: { [PTR]: null } },
    `Ask the owner of the IP (host or cloud console) to set PTR ${IP} to mail.example.com.`,
  ],
  [
    'rdns_fcrdns',
    { zone: { [PTR]: { PTR: ['gone.example.com'] } } },
    `Publish A gone.example.com ${IP}.`,
  ],
  [
    'helo_valid',
    { client: { helo: 'localhost' } },
    'Set the HELO name to the PTR name (Postfix: smtp_helo_name = mail.example.com).',
  ],
  [
    'from_domain_mx',
    { zone: { 'example.com': { A: ['192.0.2.80'], TXT: [RIGHT_SPF] } } },
    'Publish MX example.com 10 mail.example.com.',
  ],
  [
    'mta_sts',
    { zone: { '_mta-sts.example.com': null } },
    'Publish TXT _mta-sts.example.com "v=STSv1; id=YYYYMMDD" and https://mta-sts.example.com/.well-known/mta-sts.txt with mode: enforce and every MX.',
  ],
  [
    'tls_rpt',
    { zone: { '_smtp._tls.example.com': null } },
    'Publish TXT _smtp._tls.example.com "v=TLSRPTv1; rua=mailto:tls@example.com".',
  ],
  [
    'list_unsubscribe',
    { mail: newsletter({ 'List-Unsubscribe': null }) },
    'Add List-Unsubscribe: <https://example.com/u/TOKEN>, <mailto:unsub@example.com?subject=TOKEN>.',
  ],
  [
    'date_header',
    { mail: newsletter({ Date: null }) },
    'Send Date in RFC 5322 form, such as "Fri, 20 Nov 2026 10:00:05 +0000", and run NTP on the sender.',
  ],
];

test.each(fixes)('%s (%#) prints what to publish', async (id, about, fix) => {
  const { report } = await world.analyze(about);
  expect(report.findings.find((finding) => finding.id === id)?.fix).toBe(fix);
});

/** A few records, published as the fix says, and the check again. */
const mended: readonly [id: string, broken: Case['zone'], at: string][] = [
  ['spf_multiple_records', spf(RIGHT_SPF, 'v=spf1 mx -all'), 'example.com'],
  ['spf_result', spf('v=spf1 ip4:192.0.2.1 -all'), 'example.com'],
  ['spf_result', spf('v=spf1 include:nothing.example.com -all'), 'example.com'],
  ['spf_all_qualifier', spf(`v=spf1 ip4:${IP} ?all`), 'example.com'],
  ['dkim_key_record', { [KEY]: { TXT: [`${keyRecord}; g=*`, 'hello'] } }, KEY],
  ['dmarc_record_valid', dmarc(`v=DMARC1; ${RUA}; p=reject; p=none; x=y`), '_dmarc.example.com'],
  ['dmarc_policy', dmarc(`v=DMARC1; p=quarantine; t=y; ${RUA}`), '_dmarc.example.com'],
];

test.each(mended)('%s is mended by the record that it prints', async (id, zone, at) => {
  const finding = async (names: Case['zone'] = {}) => {
    const { report } = await world.analyze({ zone: names });
    return { report, found: report.findings.find((one) => one.id === id) };
  };
  const before = await finding(zone);
  const record = /"(v=[^"]+)"/.exec(before.found?.fix ?? '')?.[1] ?? '';
  const rest = at === 'example.com' ? ORIGIN : {};
  const after = await finding({ ...zone, [at]: { ...rest, TXT: [record] } });
  const rank = ['fail', 'warn', 'info', 'pass'];
  expect(rank.indexOf(after.found?.severity ?? '')).toBeGreaterThan(
    rank.indexOf(before.found?.severity ?? ''),
  );
  expect(after.report.score).toBeGreaterThan(before.report.score);
});
