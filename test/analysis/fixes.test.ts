/**
 * Tests the texts of fixes, with what they tell the sender to publish, in states that no complete
 * email of `whole/` covers.
 */

import { expect, test } from 'vitest';
import type { Facts } from '../../src/analysis/facts.ts';
import { known, unknown } from '../../src/analysis/lookup-result.ts';
import { makeReport } from '../../src/analysis/report.ts';
import { facts, type Part } from '../support/mail/facts.ts';
import { tried } from '../support/mail/spf-trials.ts';

async function fixOf(id: string, ...parts: Part<Facts>[]) {
  const { findings } = makeReport(await tried(facts(...parts)), '2026-11-20T12:00:02.000Z');
  return findings.find((one) => one.id === id)?.fix;
}

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
    mtaSts: { value: { state, published: ['v=STSv1; id=1'] } },
  },
});

/**
 * Fixes that no case of a complete email prints; `whole/fixes.slow.test.ts` has the others. A sender gets its
 * own record back, corrected.
 */
const fixes: [string, Part<Facts>[], string][] = [
  [
    'dmarc_policy',
    [
      dmarc(
        [
          ['p', 'none'],
          ['rua', 'mailto:dmarc@example.com'],
        ],
        {
          published: ['v=DMARC1; p=none; rua=mailto:dmarc@example.com'],
          report: { policy: 'none', effective_policy: 'none' },
        },
      ),
      {
        dnsNames: {
          '_dmarc.example.com': { alias: { target: 'd.esp.example', end: 'd.esp.example' } },
        },
      },
    ],
    'Your DMARC policy (p=none) tells receivers to do nothing about forged mail. Read the reports sent to dmarc@example.com for a few weeks. Continue only when they show that none of your mail fails.\n_dmarc.example.com is an alias (CNAME) of d.esp.example, so only the owner of that name can change its record. Ask them to. Or, to maintain the record yourself from then on, delete the CNAME and publish this record at _dmarc.example.com: v=DMARC1; p=quarantine; rua=mailto:dmarc@example.com',
  ],
  [
    'spf_record',
    [
      { spf: { value: { report: { record: null, records: [] } } } },
      { names: { ip: '2001:db8::25' } },
    ],
    'example.com has no SPF record, so receivers cannot tell your servers from others. The record must list every service that sends for you. Publish this TXT record at example.com: v=spf1 ip6:2001:db8::25 ~all',
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
    'Receivers cannot evaluate your SPF record: it contains an error. Replace the TXT record at example.com with: v=spf1 a mx ip4:192.0.2.25 -all',
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
            syntaxFaults: [{ severity: 'fail', bad: 'ip:192.0.2.1' }],
            brokenTerms: [
              {
                term: 'include:%{i}.example',
                why: 'no SPF records at 192.0.2.25.example',
                cause: 'absent',
                isOfSender: true,
              },
              {
                term: 'redirect=gone.example',
                why: 'no SPF records at gone.example',
                cause: 'absent',
                isOfSender: false,
              },
            ],
          },
        },
      },
    ],
    'include:%{i}.example generates a new name for each email, and the name for this email has no usable record. Changed: ip:192.0.2.1 is now ip4:192.0.2.1. redirect=gone.example does not work (no SPF records at gone.example). Which server or service is meant? Add it to the record below before you publish it. If you do not use it, leave it out.\nReplace the TXT record at example.com with: v=spf1 ip4:192.0.2.25 ip4:192.0.2.1 include:%{i}.example ~all',
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
    'Your SPF record does not say what to do with servers that it does not list. Replace the TXT record at example.com with: v=spf1 mx ip4:192.0.2.25\nWhich servers and services send for example.com? Add each of them to the record below before you publish it: mail from all others then gets an SPF softfail (~all).\nReplace the TXT record at example.com with: v=spf1 mx ip4:192.0.2.25 ~all',
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
    'Your SPF record contains +all, which lets nearly anyone send as you. Which servers and services send for example.com? Add each of them to the record below before you publish it: mail from all others then gets an SPF softfail (~all).\nReplace the TXT record at example.com with: v=spf1 ip4:192.0.2.25 ~all',
  ],
  [
    'spf_syntax',
    [
      {
        spf: {
          value: {
            report: { record: 'v=spf1 include: mx -all', matched_term: 'mx' },
            syntaxFaults: [{ severity: 'fail', bad: 'include:' }],
          },
        },
      },
    ],
    'Receivers cannot use part of your SPF record. Receivers cannot parse include:, so the whole record is invalid. Which server or service is meant? Add it to the record below before you publish it, as ip4:, a: or include:. If you do not use it, leave it out.\nReplace the TXT record at example.com with: v=spf1 mx ip4:192.0.2.25 -all',
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
        { applies: 'sp', inherited: true, report: { effective_policy: 'none' } },
      ),
    ],
    'The DMARC record of example.com says sp=none for the names below it, so receivers do nothing about forged mail from news.example.com. Create the mailbox dmarc@example.com if it does not exist yet. The reports will go there.\nPublish this TXT record at _dmarc.example.com: v=DMARC1; p=reject; sp=none; rua=mailto:dmarc@example.com\nRead the reports sent to dmarc@example.com for a few weeks. Continue only when they show that none of your mail fails.\nReplace the TXT record at _dmarc.example.com with: v=DMARC1; p=reject; rua=mailto:dmarc@example.com',
  ],
  [
    'dmarc_record_valid',
    [
      ofOrganization,
      dmarc([['p', 'reject']], {
        ignoredBecause: '2 DMARC records at _dmarc.example.com',
        asideAt: 'example.com',
        report: { policy: null, record_domain: null },
      }),
    ],
    'Receivers ignore your DMARC record: 2 DMARC records at _dmarc.example.com. So p=reject never took effect. Start with p=none, and return to p=reject when the reports show that none of your mail fails. Create the mailbox dmarc@example.com if it does not exist yet. The reports will go there.\nPublish this TXT record at _dmarc.example.com: v=DMARC1; p=none; rua=mailto:dmarc@example.com',
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
    'Your DMARC record contains no address that can receive reports, so you cannot see who sends as you. Create the mailbox dmarc@example.com if it does not exist yet. The reports will go there.\nPublish this TXT record at _dmarc.example.com: v=DMARC1; p=reject; sp=none; rua=mailto:dmarc@example.com',
  ],
  [
    'dmarc_rua',
    [
      { names: { fromMx: { value: { mx: [] } } } },
      dmarc([['p', 'reject']], { report: { rua: [] } }),
    ],
    'Your DMARC record contains no address that can receive reports, so you cannot see who sends as you. Publish this TXT record at _dmarc.example.com: v=DMARC1; p=reject',
  ],
  [
    'rdns_ptr',
    [
      { connection: { ptr: { value: [] }, forward: { value: { confirmedNames: [] } } } },
      { connection: { helo: 'web.example.com', heloAddresses: known(['192.0.2.80']) } },
      { names: { helo: 'web.example.com' } },
      { connection: { forward: { value: { addresses: { 'mail.example.com': ['192.0.2.99'] } } } } },
      { dnsNames: { 'smtp.example.com': { addresses: [] } } },
    ],
    'Your sending address 192.0.2.25 has no reverse DNS name (PTR), and many receivers refuse mail from such addresses. Publish this A record at smtp.example.com: 192.0.2.25\nAsk the owner of the address, usually your hosting provider, to set its reverse name (PTR) to: smtp.example.com',
  ],
  [
    'spf_result',
    [
      { names: { ip: '10.1.2.3' }, connection: { ip: '10.1.2.3' } },
      { connection: { forward: { value: { confirmedNames: [] } } } },
      { spf: { value: { report: { result: 'fail', record: 'v=spf1 mx -all' } } } },
    ],
    'Your SPF record does not list 10.1.2.3, the address this email came from. 10.1.2.3 is a private address, so receivers see a different address. Find out which, and add it to your record.',
  ],
  [
    'rdns_ptr',
    [
      { names: { ip: '2002:cb00:7219::1' }, connection: { ip: '2002:cb00:7219::1' } },
      { connection: { ptr: { value: [] }, forward: { value: { confirmedNames: [] } } } },
      { connection: { heloAddresses: known(['192.0.2.25']) } },
    ],
    '2002:cb00:7219::1 is a 6to4 address, which embeds the IPv4 address 203.0.114.25. 6to4 is no longer in use (RFC 7526). Have the server send over IPv4 (Postfix: smtp_address_preference = ipv4), or get IPv6 from your network provider.',
  ],
  // A second SPF record at one name would be an error.
  [
    'spf_helo',
    [
      { spf: { value: { helo: known({ result: 'none', record: null }) } } },
      {
        connection: { helo: 'web9.example.com', heloAddresses: known([]) },
        names: { helo: 'web9.example.com' },
      },
      { dnsNames: { 'mail.example.com': { spf: 'v=spf1 ip4:192.0.2.25 -all' } } },
    ],
    'For bounces, receivers check SPF for the HELO name of your server, web9.example.com, which has no SPF record. Set the HELO name to mail.example.com (Postfix: smtp_helo_name = mail.example.com).',
  ],
  // The owner rejects this address before the range that contains it, so that order is no mistake.
  [
    'spf_result',
    [
      {
        spf: {
          value: {
            report: {
              result: 'fail',
              record: 'v=spf1 -ip4:192.0.2.25 ip4:192.0.2.0/24 -all',
              matched_term: '-ip4:192.0.2.25',
            },
          },
        },
      },
    ],
    'Your SPF record lists 192.0.2.25, the address this email came from, in -ip4:192.0.2.25, but does not let it pass. Your record refuses it with -ip4:192.0.2.25. Is 192.0.2.25 (mail.example.com) one of your servers, or a server of a service that sends for you? If not, change nothing: the email was forwarded, or somebody else uses your domain. If so: Replace the TXT record at example.com with: v=spf1 ip4:192.0.2.0/24 ip4:192.0.2.25 -all',
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
    'The reverse name of 2001:db8::25 does not resolve back to 2001:db8::25, so receivers do not trust the name. Publish this AAAA record at mail.example.com: 2001:db8::25',
  ],
  [
    'mta_sts',
    [noMx, sts('absent')],
    'Nothing tells other servers to use TLS when they send mail to example.com. Start in testing mode, which changes nothing yet. Your mail hosts (MX) could not be looked up. The policy file has to name each of them on its own line (mx:).',
  ],
  [
    'mta_sts',
    [noMx, sts('broken', { mode: 'enforce', mx: ['mx.example.com'], max_age: 0 })],
    'Senders cannot use your MTA-STS policy file as it is. Serve this file at https://mta-sts.example.com/.well-known/mta-sts.txt as text/plain, with a valid certificate and without a redirect:\nversion: STSv1\nmode: testing\nmx: mx.example.com\nmax_age: 604800\nReplace the TXT record at _mta-sts.example.com with: v=STSv1; id=20261120120001',
  ],
  [
    'mta_sts',
    [mx('192.0.2.1', 'localhost', 'mx2.example.com'), sts('absent')],
    'Nothing tells other servers to use TLS when they send mail to example.com. Start in testing mode, which changes nothing yet. Serve this file at https://mta-sts.example.com/.well-known/mta-sts.txt as text/plain, with a valid certificate and without a redirect:\nversion: STSv1\nmode: testing\nmx: mx2.example.com\nmax_age: 604800\nReplace the TXT record at _mta-sts.example.com with: v=STSv1; id=20261120120001',
  ],
  [
    'mta_sts',
    [mx('192.0.2.1'), sts('absent')],
    'Nothing tells other servers to use TLS when they send mail to example.com. Start in testing mode, which changes nothing yet. Your mail hosts (MX) could not be looked up. The policy file has to name each of them on its own line (mx:).',
  ],
  [
    'mta_sts',
    [mx(), sts('absent')],
    'Nothing tells other servers to use TLS when they send mail to example.com. Start in testing mode, which changes nothing yet. Serve this file at https://mta-sts.example.com/.well-known/mta-sts.txt as text/plain, with a valid certificate and without a redirect:\nversion: STSv1\nmode: testing\nmx: example.com\nmax_age: 604800\nReplace the TXT record at _mta-sts.example.com with: v=STSv1; id=20261120120001',
  ],
  [
    'mta_sts',
    [sts('broken', { mode: 'enforce', mx: ['old.example.com'], max_age: 86_400 })],
    'Senders cannot use your MTA-STS policy file as it is. Serve this file at https://mta-sts.example.com/.well-known/mta-sts.txt as text/plain, with a valid certificate and without a redirect:\nversion: STSv1\nmode: enforce\nmx: mx.example.com\nmax_age: 86400\nReplace the TXT record at _mta-sts.example.com with: v=STSv1; id=20261120120001',
  ],
  [
    'mta_sts',
    [sts('none', { mode: 'none', mx: [], max_age: 86_400 })],
    'Nothing tells other servers to use TLS when they send mail to example.com. Start in testing mode, which changes nothing yet. Serve this file at https://mta-sts.example.com/.well-known/mta-sts.txt as text/plain, with a valid certificate and without a redirect:\nversion: STSv1\nmode: testing\nmx: mx.example.com\nmax_age: 86400\nReplace the TXT record at _mta-sts.example.com with: v=STSv1; id=20261120120001',
  ],
  [
    'mta_sts',
    [
      sts('broken'),
      { transport: { mtaSts: { value: { fault: 'the URL of the policy returns status 404' } } } },
    ],
    'Senders cannot use your MTA-STS policy file as it is. Is there a policy file already? If so, leave it as it is, and correct only how it is served: the URL of the policy returns status 404. If not, continue.\nServe this file at https://mta-sts.example.com/.well-known/mta-sts.txt as text/plain, with a valid certificate and without a redirect:\nversion: STSv1\nmode: testing\nmx: mx.example.com',
  ],
  [
    'mta_sts',
    [sts('testing', { mode: 'testing', mx: ['*.example.com'], max_age: 86_400 })],
    'Your MTA-STS policy is in testing mode, so senders still deliver mail without verified encryption. Read the TLS reports (TLS-RPT) for a few weeks. Continue only when they show no failures.\nServe this file at https://mta-sts.example.com/.well-known/mta-sts.txt as text/plain, with a valid certificate and without a redirect:\nversion: STSv1\nmode: enforce\nmx: *.example.com\nmax_age: 86400\nReplace the TXT record at _mta-sts.example.com with: v=STSv1; id=20261120120001',
  ],
  [
    'message_id',
    [
      {
        names: { fromDomain: '15b0717dc4c2', envelopeDomain: '15b0717dc4c2' },
        headers: { value: { messageId: { domainOdd: true } } },
      },
    ],
    'with a unique part before the @ and a domain that you own after it.',
  ],
  [
    'eight_bit_headers',
    [{ headers: { value: { eightBit: { raw: true, fields: ['Subject', 'Message-ID'] } } } }],
    'Subject contains unencoded non-ASCII text. Have your mail program encode Subject as UTF-8 (RFC 2047). Message-ID contains non-ASCII text, which is not allowed there. Write Message-ID in ASCII, with each domain in the form that begins with xn--.',
  ],
];

test.each(fixes)('%s (%#) prints what to publish', async (id, parts, text) => {
  expect(await fixOf(id, ...parts)).toContain(text);
});
