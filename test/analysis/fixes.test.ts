import { expect, test } from 'vitest';
import { type Facts, known, unknown } from '../../src/analysis/facts.ts';
import { makeReport } from '../../src/analysis/report.ts';
import { facts, type Part, signed } from '../support/mail/facts.ts';

const fixOf = (id: string, ...parts: Part<Facts>[]) =>
  makeReport(facts(...parts), '2026-11-20T12:00:02.000Z').findings.find((one) => one.id === id)
    ?.fix;

/** Of 32 octets. */
const ED25519 = `${'A'.repeat(43)}=`;

const noFrom: Part<Facts> = { names: { fromDomain: null, fromOrganizationalDomain: null } };
const ofOrganization: Part<Facts> = {
  names: { fromDomain: 'news.example.com', fromOrganizationalDomain: 'example.com' },
};
type Tags = [string, string][];
const dmarc = (tags: Tags, part: object = {}): Part<Facts> => ({
  dmarc: { value: { tags, ...part } },
});

const noMx: Part<Facts> = { names: { fromMx: unknown('dns: MX example.com: SERVFAIL') } };
const mx = (...hosts: string[]): Part<Facts> => ({ names: { fromMx: { value: { mx: hosts } } } });
const sts = (
  state: 'absent' | 'broken' | 'none' | 'testing',
  policy?: { mode: 'enforce' | 'none' | 'testing'; mx: string[]; max_age: number },
): Part<Facts> => ({
  transport: {
    report: {
      mta_sts: {
        record: 'v=STSv1; id=1',
        id: '1',
        fetched: true,
        ...(policy && { policy: { version: 'STSv1', ...policy } }),
      },
    },
    mtaSts: { value: { state } },
  },
});

/** A sender who follows a fix gets its own record back, corrected. */
const fixes: [string, Part<Facts>[], string][] = [
  [
    'spf_record',
    [{ spf: { value: { report: { record: null, records: [] } } } }],
    'TXT example.com "v=spf1 ip4:192.0.2.25 -all"',
  ],
  [
    'spf_record',
    [
      { spf: { value: { report: { record: null, records: [] } } } },
      { names: { ip: '2001:db8::25' } },
    ],
    '"v=spf1 ip6:2001:db8::25 -all"',
  ],
  [
    'spf_multiple_records',
    [{ spf: { value: { report: { records: ['v=spf1 mx -all', 'v=spf1 a ~all'] } } } }],
    '"v=spf1 mx a ~all"',
  ],
  [
    'spf_result',
    [{ spf: { value: { report: { result: 'softfail', record: 'v=spf1 mx ~all' } } } }],
    '"v=spf1 mx ip4:192.0.2.25 ~all"',
  ],
  [
    'spf_result',
    [
      {
        spf: {
          value: {
            report: { result: 'permerror', record: 'v=spf1 include:gone.example mx -all' },
            brokenTerms: [
              {
                term: 'include:gone.example',
                why: 'no SPF records at gone.example',
                isOfSender: false,
              },
            ],
          },
        },
      },
    ],
    '"v=spf1 mx ip4:192.0.2.25 -all"',
  ],
  [
    'spf_result',
    [
      {
        spf: {
          value: {
            report: { result: 'permerror', record: 'v=spf1 a mx -all', matched_term: null },
          },
        },
      },
    ],
    '"v=spf1 ip4:192.0.2.25 a mx -all"',
  ],
  [
    'spf_result',
    [
      {
        spf: {
          value: {
            report: {
              result: 'permerror',
              record: 'v=spf1 ip:192.0.2.1 include:%{i}.example redirect=gone.example',
              matched_term: null,
            },
            syntaxFaults: [{ severity: 'fail', bad: 'ip:192.0.2.1', good: 'ip4:192.0.2.1' }],
            brokenTerms: [
              {
                term: 'include:%{i}.example',
                why: 'no SPF records at 192.0.2.25.example',
                isOfSender: true,
              },
              {
                term: 'redirect=gone.example',
                why: 'no SPF records at gone.example',
                isOfSender: false,
              },
            ],
          },
        },
      },
    ],
    '"v=spf1 ip4:192.0.2.1 ip4:192.0.2.25 include:%{i}.example -all"',
  ],
  [
    'from_display_name',
    [{ headers: { value: { from: { displayName: { present: false, faults: [] } } } } }],
    "Write your name or your company's alone as the display name.",
  ],
  [
    'from_display_name',
    [{ headers: { value: { from: { displayName: { faults: ['domain', 'zero_width'] } } } } }],
    'the display name, without the domain, without the zero-width characters.',
  ],
  [
    'html_quality',
    [{ content: { value: { htmlFaults: { fail: ['no_body'], lint: ['no_lang'] } } } }],
    'Correct the HTML: add <body> and add lang= to <html>.',
  ],
  [
    'spf_all_qualifier',
    [
      {
        spf: { value: { effectiveAll: null, report: { record: 'v=spf1 mx', matched_term: 'mx' } } },
      },
    ],
    '"v=spf1 mx -all"',
  ],
  [
    'spf_all_qualifier',
    [
      {
        spf: {
          value: {
            effectiveAll: '+',
            wideTerms: [{ term: '+all', top: '+all' }],
            report: { record: 'v=spf1 +all', matched_term: '+all' },
          },
        },
      },
    ],
    '"v=spf1 ip4:192.0.2.25 -all"',
  ],
  [
    'spf_all_qualifier',
    [
      {
        spf: {
          value: {
            effectiveAll: '~',
            report: { record: 'v=spf1 mx ~all', result: 'softfail', matched_term: '~all' },
          },
        },
      },
      { dmarc: { value: { report: { effective_policy: 'none' } } } },
    ],
    '"v=spf1 mx ip4:192.0.2.25 -all"',
  ],
  [
    'spf_syntax',
    [
      {
        spf: {
          value: {
            report: { record: 'v=spf1 include: mx -all', matched_term: 'mx' },
            syntaxFaults: [{ severity: 'fail', bad: 'include:', good: '' }],
          },
        },
      },
    ],
    'Publish TXT example.com "v=spf1 mx -all".',
  ],
  [
    'dkim_key_record',
    [
      {
        dkim: {
          value: {
            signatures: [
              signed({
                report: { key: { record: `p=${ED25519}; g=*` } },
                keyFaults: [{ severity: 'warn', what: 'g= is obsolete', corrected: null }],
              }),
            ],
          },
        },
      },
    ],
    `s1._domainkey.example.com: "v=DKIM1; k=ed25519; p=${ED25519}"`,
  ],
  [
    'dmarc_policy',
    [
      dmarc(
        [
          ['p', 'none'],
          ['rua', 'mailto:d@example.com'],
        ],
        { report: { effective_policy: 'none' } },
      ),
    ],
    '"v=DMARC1; p=quarantine; rua=mailto:d@example.com"',
  ],
  [
    'dmarc_policy',
    [
      ofOrganization,
      dmarc(
        [
          ['p', 'reject'],
          ['sp', 'none'],
        ],
        { inherited: true, report: { effective_policy: 'none' } },
      ),
    ],
    'make it "v=DMARC1; p=reject; np=reject; rua=mailto:dmarc@example.com".',
  ],
  [
    'dmarc_record_valid',
    [
      ofOrganization,
      dmarc([], {
        ignoredBecause: '2 DMARC records at _dmarc.example.com',
        ignored: { name: 'example.com', tags: [['p', 'reject']] },
        report: { policy: null, record_domain: null },
      }),
    ],
    'exactly one TXT at _dmarc.example.com: "v=DMARC1; p=reject; rua=mailto:dmarc@example.com"',
  ],
  [
    'dmarc_rua',
    [
      {
        dmarc: {
          value: {
            report: {
              rua: [
                {
                  uri: 'mailto:d@rua.example?x=y',
                  external: true,
                  authorized: false,
                  has_mx: true,
                },
              ],
            },
          },
        },
      },
    ],
    'TXT example.com._report._dmarc.rua.example "v=DMARC1"',
  ],
  [
    'dmarc_rua',
    [
      dmarc(
        [
          ['p', 'reject'],
          ['sp', 'none'],
        ],
        { report: { rua: [] } },
      ),
    ],
    'TXT _dmarc.example.com "v=DMARC1; p=reject; sp=none; np=reject; rua=mailto:dmarc@example.com"',
  ],
  [
    'dmarc_rua',
    [
      { names: { fromMx: { value: { mx: [] } } } },
      dmarc([['p', 'reject']], { report: { rua: [] } }),
    ],
    '"v=DMARC1; p=reject; rua=mailto:ADDRESS@YOUR.MAIL.DOMAIN"',
  ],
  [
    'dmarc_record',
    [noFrom, { dmarc: { value: { anyRecord: false } } }],
    'Mend the From header first',
  ],
  [
    'rdns_ptr',
    [{ connection: { ptr: { value: [] } }, names: { helo: '[192.0.2.25]' } }],
    'set PTR 192.0.2.25 to mail.example.com',
  ],
  [
    'rdns_ptr',
    [
      { connection: { ptr: { value: [] }, forward: { value: { confirmedNames: [] } } } },
      { connection: { helo: 'web.example.com', heloAddresses: known(['192.0.2.80']) } },
      { names: { helo: 'web.example.com' } },
      { connection: { forward: { value: { addresses: { 'mail.example.com': ['192.0.2.99'] } } } } },
    ],
    'Publish A smtp.example.com 192.0.2.25. Then ask the owner',
  ],
  [
    'spf_result',
    [
      { names: { ip: '10.1.2.3' }, connection: { ip: '10.1.2.3' } },
      { connection: { forward: { value: { confirmedNames: [] } } } },
      { spf: { value: { report: { result: 'fail', record: 'v=spf1 mx -all' } } } },
    ],
    'IP is your public address: the mail came from 10.1.2.3, which is private',
  ],
  [
    'rdns_fcrdns',
    [
      {
        connection: {
          ip: '2001:db8::25',
          heloAddresses: known([]),
          forward: known({
            addresses: { 'mail.example.com': [] },
            confirmed: false,
            confirmedNames: [],
          }),
        },
        names: { ip: '2001:db8::25' },
      },
    ],
    'Publish AAAA mail.example.com 2001:db8::25.',
  ],
  [
    'mta_sts',
    [noMx, sts('absent')],
    '"version: STSv1", "mode: testing", "mx: MX.HOST", "max_age: 604800". Begin with',
  ],
  [
    'mta_sts',
    [noMx, sts('broken', { mode: 'enforce', mx: ['mx.example.com'], max_age: 0 })],
    '"mode: testing", "mx: mx.example.com", "max_age: 604800"; then change',
  ],
  [
    'mta_sts',
    [mx('192.0.2.1', 'localhost', 'mx2.example.com'), sts('absent')],
    '"mode: testing", "mx: mx2.example.com", "max_age: 604800". Begin with',
  ],
  ['mta_sts', [mx('192.0.2.1'), sts('absent')], '"mode: testing", "mx: MX.HOST", "max_age'],
  ['mta_sts', [mx(), sts('absent')], '"mode: testing", "mx: example.com", "max_age'],
  [
    'mta_sts',
    [sts('broken', { mode: 'enforce', mx: ['old.example.com'], max_age: 86_400 })],
    '"mode: enforce", "mx: mx.example.com", "max_age: 86400"; then change',
  ],
  [
    'mta_sts',
    [sts('none', { mode: 'none', mx: [], max_age: 86_400 })],
    '"mode: testing", "mx: mx.example.com", "max_age: 86400"; then change',
  ],
  [
    'mta_sts',
    [sts('testing', { mode: 'testing', mx: ['*.example.com'], max_age: 86_400 })],
    'with mode: enforce, each on its own line: "version: STSv1", "mode: enforce", "mx: *.example.com"',
  ],
  [
    'eight_bit_headers',
    [{ headers: { value: { eightBit: { raw: true, fields: ['Subject', 'Message-ID'] } } } }],
    'Message-ID has non-ASCII text, which has no place there. Write it in ASCII',
  ],
  [
    'date_header',
    [{ headers: { value: { date: { state: 'missing' } } } }],
    '"Fri, 20 Nov 2026 12:00:01 +0000"',
  ],
  [
    'dkim_headers_signed',
    [{ dkim: { value: { signatures: [signed({ unsignedHeaders: ['reply-to', 'to'] })] } } }],
    'signed header list (h=) of example.com: reply-to, to.',
  ],
];

test.each(fixes)('%s (%#) prints what to publish', (id, parts, text) => {
  expect(fixOf(id, ...parts)).toContain(text);
});
