/** Tests the texts of the fixes for complete emails, with what they tell the sender to publish. */

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

/** A host name in a shared pool, to which the IP address belongs in both directions. */
const POOL = 'o1.sendgrid.net';
const ofPool = { [PTR]: { PTR: [POOL] }, [POOL]: { A: [IP] } };

const IPV6 = '2001:db8::25';

/**
 * A fix and what it prints: a sender who follows it publishes that, which is the sender's own record,
 * corrected.
 */
type Printed = [id: string, about: Omit<Case, 'about' | 'states'>, fix: string];

const fixes: readonly Printed[] = [
  [
    'spf_record',
    { zone: { 'example.com': ORIGIN } },
    'example.com has no SPF record, so receivers cannot tell your servers from others. The record must list every service that sends for you. Publish this TXT record at example.com: v=spf1 ip4:192.0.2.25 ~all',
  ],
  [
    'dmarc_record',
    {
      zone: {
        ...spf(`v=spf1 ip4:${IP} -all; v=DMARC1; p=reject`),
        '_dmarc.example.com': null,
      },
    },
    'example.com has no DMARC record, and Gmail, Yahoo and Microsoft require one of bulk senders. Start with a record that changes nothing; its reports show within a day who sends as you. Create the mailbox dmarc@example.com if it does not exist yet. The reports will go there.\nPublish this TXT record at _dmarc.example.com: v=DMARC1; p=none; rua=mailto:dmarc@example.com',
  ],
  [
    'spf_syntax',
    { zone: spf(`v=spf1 ip4:${IP} -all; v=DMARC1; p=reject`) },
    'Receivers cannot use part of your SPF record. The text also contains a record for another purpose, which nobody looks for there, so it has been left out. Replace the TXT record at example.com with: v=spf1 ip4:192.0.2.25 -all',
  ],
  [
    'spf_multiple_records',
    { zone: spf('v=spf1 include:_spf.example.net ~all', 'v=spf1 mx -all') },
    'example.com has several SPF records, so receivers use none of them. include:_spf.example.net does not work (no SPF records at _spf.example.net). Which server or service is meant? Add it to the record below before you publish it. If you do not use it, leave it out.\nReplace the 2 TXT records at example.com with: v=spf1 mx ~all',
  ],
  [
    'spf_result',
    { zone: spf('v=spf1 ip4:192.0.2.1 mx:mx.example.net ~all') },
    'Your SPF record does not list 192.0.2.25, the address this email came from. Replace the TXT record at example.com with: v=spf1 ip4:192.0.2.1 mx:mx.example.net ip4:192.0.2.25 ~all',
  ],
  [
    'spf_result',
    { zone: spf(`v=spf1 include:nothing.example.com ip4:${IP} -all`) },
    'Receivers cannot evaluate your SPF record: include:nothing.example.com: no SPF records at nothing.example.com. include:nothing.example.com does not work (no SPF records at nothing.example.com). Which server or service is meant? Add it to the record below before you publish it. If you do not use it, leave it out.\nReplace the TXT record at example.com with: v=spf1 ip4:192.0.2.25 -all',
  ],
  [
    'spf_result',
    {
      zone: {
        ...spf('v=spf1 include:_spf.example.com -all'),
        '_spf.example.com': { TXT: [`v=spf1 include:_spf.example.net, ip4:${IP} -all`] },
        '_spf.example.net': { TXT: ['v=spf1 ip4:192.0.2.0/28 -all'] },
      },
    },
    'Receivers cannot evaluate your SPF record: include:_spf.example.com: "include:_spf.example.net," in the record of _spf.example.com. Changed: include:_spf.example.net, is now include:_spf.example.net. Replace the TXT record at _spf.example.com with: v=spf1 include:_spf.example.net ip4:192.0.2.25 -all',
  ],
  [
    'spf_result',
    {
      zone: {
        ...spf(`v=spf1 include:_spf.example.net ip4:${IP} -all`),
        '_spf.example.net': { TXT: ['v=spf1 ip4:192.0.2.300 -all'] },
      },
    },
    'Receivers cannot evaluate your SPF record: include:_spf.example.net: "ip4:192.0.2.300" in the record of _spf.example.net. Replace the TXT record at example.com with: v=spf1 ip4:192.0.2.25 include:_spf.example.net -all\ninclude:_spf.example.net leads to a record that contains an error ("ip4:192.0.2.300" in the record of _spf.example.net). If you use that service, ask it to correct its record, and keep the term. If not, publish the record below.\nReplace the TXT record at example.com with: v=spf1 ip4:192.0.2.25 -all',
  ],
  [
    'spf_all_qualifier',
    {
      zone: {
        ...spf('v=spf1 include:_spf.example.com -all'),
        '_spf.example.com': { TXT: [`v=spf1 ip4:${IP} +all`] },
      },
    },
    'Your SPF record refers to another record that lets nearly anyone send as you: include:_spf.example.com (with +all). Replace the TXT record at example.com with: v=spf1 include:_spf.example.com ~all\nWhich servers and services send for example.com? Add each of them to the record below before you publish it: mail from all others then gets an SPF softfail (~all).\nReplace the TXT record at _spf.example.com with: v=spf1 ip4:192.0.2.25 ~all',
  ],
  [
    'spf_syntax',
    {
      zone: {
        ...spf(`v=spf1 ip4:${IP} mx:many.example.com -all`),
        'many.example.com': { MX: Array.from({ length: 11 }, (_, i) => `10 m${i}.example.com`) },
      },
    },
    'This email passed before receivers reached a broken part of your SPF record. For other mail, that part is a permanent error (permerror). mx:many.example.com names too many servers (11 mail servers; the limit is 10). Which of them send mail for example.com? Add the address of each (ip4: or ip6:) to the record below before you publish it: servers that it does not list no longer pass.\nReplace the TXT record at example.com with: v=spf1 ip4:192.0.2.25 -all',
  ],
  [
    'spf_result',
    { client: { helo: POOL }, zone: { ...spf('v=spf1 mx:mx.example.net -all'), ...ofPool } },
    'Your SPF record does not list 192.0.2.25, the address this email came from. Many senders share 192.0.2.25 (o1.sendgrid.net), so it is not added to your record. Ask the service that owns the address which SPF term or return path its customers use.',
  ],
  [
    'spf_result',
    { client: { ip: IPV6 }, zone: spf('v=spf1 mx ~all') },
    'Your SPF record allows mail.example.com by its name, but 2001:db8::25, the address this email came from, is not published at that name. Publish this AAAA record at mail.example.com: 2001:db8::25',
  ],
  [
    'spf_result',
    { client: { ip: '64:ff9b::c000:219' } },
    'Your SPF record does not list 64:ff9b::c000:219, the address this email came from. 64:ff9b::c000:219 is a NAT64 address, which represents 192.0.2.25 inside one network. Receivers see 192.0.2.25, which your record lists, so there is nothing to publish for this one.',
  ],
  [
    'spf_helo',
    { client: { ip: IPV6 }, zone: { 'mail.example.com': { A: [IP] } } },
    'For bounces, receivers check SPF for the HELO name of your server, mail.example.com, which has no SPF record. Publish this TXT record at mail.example.com: v=spf1 a ip6:2001:db8::25 -all',
  ],
  [
    'dmarc_policy',
    {
      zone: {
        '_dmarc.example.com': {
          TXT: ['v=DMARC1; p=none; rua=mailto:dmarc@example.com'],
          NS: ['ns1.vendor.example'],
        },
      },
    },
    'Your DMARC policy (p=none) tells receivers to do nothing about forged mail. Read the reports sent to dmarc@example.com for a few weeks. Continue only when they show that none of your mail fails.\nThe name servers of _dmarc.example.com (ns1.vendor.example) are not those of your domain, so a record that you enter at your own DNS host has no effect there. Ask whoever runs those name servers to publish this TXT record at _dmarc.example.com instead of the existing one: v=DMARC1; p=quarantine; rua=mailto:dmarc@example.com',
  ],
  [
    'from_display_name',
    { mail: newsletter({ From: 'news@example.com' }) },
    "Readers look at the display name first, and this one could mislead them or is missing. Use only your name or your company's as the display name.",
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
    'Your SPF record needs 11 DNS lookups. Above 10, receivers stop with an error and SPF fails. Which services in your SPF record do you still use? Remove the others from it. Lookups per term: include:heavy.example.net 10 and a 1.',
  ],
  [
    'spf_all_qualifier',
    {
      zone: {
        ...spf(`v=spf1 ip4:${IP} include:spf.example.net ?all`),
        'spf.example.net': { TXT: ['v=spf1 -all'] },
      },
    },
    'Your SPF record ends in ?all, which says nothing about servers that it does not list. Which servers and services send for example.com? Add each of them to the record below before you publish it: mail from all others then gets an SPF softfail (~all).\nReplace the TXT record at example.com with: v=spf1 ip4:192.0.2.25 include:spf.example.net ~all',
  ],
  [
    'spf_syntax',
    { zone: spf(`v=spf1 ipv4:${IP} -all exp=explain.example.com`) },
    'Receivers cannot use part of your SPF record. Changed: ipv4:192.0.2.25 is now ip4:192.0.2.25. Replace the TXT record at example.com with: v=spf1 ip4:192.0.2.25 exp=explain.example.com -all',
  ],
  [
    'spf_syntax',
    { zone: spf(`v=spf1 ipv4:${IP} -all`) },
    'Receivers cannot use part of your SPF record. Changed: ipv4:192.0.2.25 is now ip4:192.0.2.25. Replace the TXT record at example.com with: v=spf1 ip4:192.0.2.25 -all',
  ],
  [
    'spf_helo',
    { zone: { 'mail.example.com': { A: [IP] } } },
    'For bounces, receivers check SPF for the HELO name of your server, mail.example.com, which has no SPF record. Publish this TXT record at mail.example.com: v=spf1 a -all',
  ],
  [
    'spf_syntax',
    {
      zone: {
        ...spf(`v=spf1 ip4:${IP}include:one.example.netmx -all`),
        'one.example.net': { TXT: ['v=spf1 ip4:198.51.100.0/24 -all'] },
      },
    },
    'Receivers cannot use part of your SPF record. A space is missing between ip4:192.0.2.25 and include:one.example.netmx. include:one.example.netmx does not work (no SPF records at one.example.netmx). Which server or service is meant? Add it to the record below before you publish it. If you do not use it, leave it out.\nReplace the TXT record at example.com with: v=spf1 ip4:192.0.2.25 -all',
  ],
  [
    'spf_helo',
    { zone: { 'mail.example.com': { A: [IP], TXT: ['v=spf1 ipv4:192.0.2.9 ?all'] } } },
    'For bounces, receivers check SPF for the HELO name of your server, mail.example.com, whose SPF record does not list the server. Replace the TXT record at mail.example.com with: v=spf1 ip4:192.0.2.9 ip4:192.0.2.25 ?all',
  ],
  [
    'spf_helo',
    { zone: { 'mail.example.com': { A: [IP], TXT: ['v=spf1 relay.example -all'] } } },
    'For bounces, receivers check SPF for the HELO name of your server, mail.example.com, whose SPF record does not list the server. Receivers cannot parse relay.example, so the whole record is invalid. relay.example may mean include:relay.example, the record of a service, or a:relay.example, a server. Which server or service is meant? Add it to the record below before you publish it, as ip4:, a: or include:. If you do not use it, leave it out.\nReplace the TXT record at mail.example.com with: v=spf1 ip4:192.0.2.25 -all',
  ],
  [
    'dkim_present',
    { signatures: [] },
    'Your email arrived without a DKIM signature, so receivers cannot tell whether it is yours and unchanged. In your mail system, or at the service that sends your mail, turn on DKIM signing for example.com (d=example.com).\nYour mail system, or the service that sends for you, creates a key and shows the record to publish under _domainkey.example.com.',
  ],
  [
    'dkim_valid',
    { zone: { [KEY]: null } },
    'example.com publishes no key for the selector s1, so its DKIM signature cannot be checked. Copy the complete DKIM record for the selector s1 from your signing system. Publish it, as TXT or as an alias (CNAME), as the only record at s1._domainkey.example.com. If your DNS host limits a string to 255 characters, split the text into several strings of that one record.',
  ],
  [
    'dkim_headers_signed',
    { signatures: [signature({ h: SIGNED.filter((name) => !/^(?:to|subject)$/.test(name)) })] },
    'The signature of example.com leaves out headers that readers see, so others can change or add them. Add these headers to the ones that your DKIM signer signs (h=): Subject, To.',
  ],
  [
    'dkim_key_record',
    { zone: { [KEY]: { TXT: [`k=rsa; h=sha1; g=*; p=${p}`] } } },
    `The key record of example.com at the selector s1 contains an error. The record is longer than 255 characters: if your DNS panel does not split it automatically, enter it as several strings of one record. Replace the TXT record at s1._domainkey.example.com with: ${keyRecord}`,
  ],
  [
    'dkim_valid',
    { zone: { [KEY]: { TXT: [`v=DKIM1; k=rsa; p=${p.slice(0, 200)}`] } } },
    'Verifiers cannot use the key that example.com publishes for the selector s1. Copy the complete DKIM record for the selector s1 from your signing system. Publish it as the only TXT record at s1._domainkey.example.com. If your DNS host limits a string to 255 characters, split the text into several strings of that one record.',
  ],
  [
    'dkim_key_record',
    { zone: { [KEY]: { TXT: [`v=DKIM1; k=rsa; p=${p.slice(0, 200)}`] } } },
    'The key at the selector s1 is cut off. Copy the complete DKIM record for the selector s1 from your signing system. Publish it as the only TXT record at s1._domainkey.example.com. If your DNS host limits a string to 255 characters, split the text into several strings of that one record.',
  ],
  [
    'dkim_key_record',
    { zone: { [KEY]: { TXT: [keyRecord.slice(250), keyRecord.slice(0, 250)] } } },
    `The key is split over several TXT records. It must be in one record. The record is longer than 255 characters: if your DNS panel does not split it automatically, enter it as several strings of one record. Replace the 2 TXT records at s1._domainkey.example.com with: ${keyRecord}`,
  ],
  [
    'dkim_key_testing',
    { zone: { [KEY]: { TXT: [`${keyRecord}; t=y`] } } },
    `The key of example.com at the selector s1 is marked as a test (t=y), and receivers may treat the email as unsigned. The record is longer than 255 characters: if your DNS panel does not split it automatically, enter it as several strings of one record. Replace the TXT record at s1._domainkey.example.com with: ${keyRecord}`,
  ],
  [
    'dmarc_record',
    { zone: { '_dmarc.example.com': null } },
    'example.com has no DMARC record, and Gmail, Yahoo and Microsoft require one of bulk senders. Start with a record that changes nothing; its reports show within a day who sends as you. Create the mailbox dmarc@example.com if it does not exist yet. The reports will go there.\nPublish this TXT record at _dmarc.example.com: v=DMARC1; p=none; rua=mailto:dmarc@example.com',
  ],
  [
    'dmarc_record_valid',
    { zone: dmarc(`v=dmarc1; P=Reject; ${RUA}; foo=bar; pct=100`) },
    'Receivers ignore your DMARC record: the record at _dmarc.example.com has v=dmarc1 instead of v=DMARC1. So p=reject never took effect. Start with p=none, and return to p=reject when the reports show that none of your mail fails. Replace the TXT record at _dmarc.example.com with: v=DMARC1; p=none; rua=mailto:dmarc@example.com',
  ],
  [
    'dmarc_policy',
    { zone: dmarc(`v=DMARC1; p=none; sp=none; ${RUA}; adkim=s`) },
    'Your DMARC policy (p=none) tells receivers to do nothing about forged mail. Read the reports sent to dmarc@example.com for a few weeks. Continue only when they show that none of your mail fails.\nReplace the TXT record at _dmarc.example.com with: v=DMARC1; p=quarantine; adkim=s; rua=mailto:dmarc@example.com',
  ],
  [
    'dmarc_policy',
    { zone: dmarc(`v=DMARC1; p=rejct; ${RUA}`) },
    'Your DMARC policy (p=none) tells receivers to do nothing about forged mail. Replace the TXT record at _dmarc.example.com with: v=DMARC1; p=none; rua=mailto:dmarc@example.com\nRead the reports sent to dmarc@example.com for a few weeks. Continue only when they show that none of your mail fails.\nReplace the TXT record at _dmarc.example.com with: v=DMARC1; p=quarantine; rua=mailto:dmarc@example.com',
  ],
  ...[
    `"v=DMARC1; p=reject; ${RUA}"`,
    `v=DMARC1, p=reject, ${RUA}`,
    `p=reject; v=DMARC1; ${RUA}`,
    `v=DMARC1 p=reject ${RUA}`,
    'v=DMARC1; v=DMARC1; p=reject; p=reject; sp=oops; rua=dmarc@example.com',
  ].map(
    (record): Printed => [
      'dmarc_record_valid',
      { zone: dmarc(record) },
      expect.stringMatching(
        /So p=reject never took effect\..* Replace the TXT record at _dmarc\.example\.com with: v=DMARC1; p=none; rua=mailto:dmarc@example\.com(?:\nIs sp=.*)?$/,
      ),
    ],
  ),
  [
    'dmarc_rua',
    { zone: dmarc('v=DMARC1; p=reject; rua=mailto: dmarc@example.com') },
    'Your DMARC record contains no address that can receive reports, so you cannot see who sends as you. Replace the TXT record at _dmarc.example.com with: v=DMARC1; p=reject; rua=mailto:dmarc@example.com',
  ],
  [
    'dmarc_record',
    {
      zone: {
        '_dmarc.example.com': { CNAME: 'hop.provider.example' },
        'hop.provider.example': { CNAME: 'end.provider.example' },
      },
    },
    'example.com has no DMARC record, and Gmail, Yahoo and Microsoft require one of bulk senders. Start with a record that changes nothing; its reports show within a day who sends as you. Create the mailbox dmarc@example.com if it does not exist yet. The reports will go there.\n_dmarc.example.com is an alias (CNAME) of end.provider.example, which has no such record. Does one of your services publish it there? If so, finish or renew the setup of that service. If not, delete the CNAME and publish this TXT record at _dmarc.example.com: v=DMARC1; p=none; rua=mailto:dmarc@example.com',
  ],
  [
    'dmarc_record',
    {
      zone: {
        '_dmarc.example.com': { TXT: ['end.provider.example.'] },
        'end.provider.example': { TXT: ['v=DMARC1; p=reject'] },
      },
    },
    'The name end.provider.example was entered as the text of a TXT record at _dmarc.example.com, so receivers find no DMARC record. It should be an alias (CNAME). Once _dmarc points to end.provider.example, the policy published there immediately applies to all your mail. Is all of your mail signed, or sent from servers in your SPF record? If so, continue.\nDelete the TXT record at _dmarc.example.com: end.provider.example.\nPublish this CNAME record at _dmarc.example.com: end.provider.example.',
  ],
  [
    'dmarc_alignment',
    { zone: { [KEY]: { CNAME: 'end.provider.example' } } },
    'The key at s1._domainkey.example.com is an alias (CNAME) of end.provider.example, so the owner of that name has to publish it. Open the DKIM settings of your domain there, and finish or renew the setup. If your own server signed this email, have that server sign with its own selector, and publish its key there.',
  ],
  [
    'dkim_valid',
    {
      zone: {
        [KEY]: null,
        [`${KEY}.example.com`]: { CNAME: 'end.provider.example' },
        'end.provider.example': { TXT: [keyRecord] },
      },
    },
    'The key of the selector s1 is at s1._domainkey.example.com.example.com, where nobody looks for it. Many DNS panels add the domain to a name automatically: enter only the part before the domain. Publish this CNAME record at s1._domainkey.example.com: end.provider.example.\nDelete the CNAME record at s1._domainkey.example.com.example.com: end.provider.example',
  ],
  [
    'spf_syntax',
    { zone: spf(`v=spf1 ip4: ${IP} –all`) },
    'Receivers cannot use part of your SPF record. Non-ASCII characters, such as a no-break space, a dash or a typographic quotation mark, have been replaced with plain ones. There was an extra space in ip4:192.0.2.25. Replace the TXT record at example.com with: v=spf1 ip4:192.0.2.25 -all',
  ],
  [
    'spf_syntax',
    { zone: spf(`v=spf1 mx: ip4:192.0.2.20-192.0.3.30 -all`) },
    'Receivers cannot use part of your SPF record. Receivers cannot parse mx: and ip4:192.0.2.20-192.0.3.30, so the whole record is invalid. mx: may mean mx, which is example.com itself. Which server or service is meant? Add it to the record below before you publish it, as ip4:, a: or include:. If you do not use it, leave it out.\nReplace the TXT record at example.com with: v=spf1 ip4:192.0.2.25 -all',
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
    'Your SPF record ends in ?all, which says nothing about servers that it does not list. Which servers and services send for example.com? Add each of them to the record below before you publish it: mail from all others then gets an SPF softfail (~all).\nReplace the TXT record at example.com with: v=spf1 ip4:192.0.2.25 include:alias.example.com ~all',
  ],
  [
    'dkim_valid',
    { zone: { [KEY]: { CNAME: 'end.provider.example' } } },
    'The key at s1._domainkey.example.com is an alias (CNAME) of end.provider.example, so the owner of that name has to publish it. Open the DKIM settings of your domain there, and finish or renew the setup. If your own server signed this email, have that server sign with its own selector, and publish its key there.',
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
    'Your SPF record includes names that do not exist (include:two.example.net (with mx:y.example.net and exists:z.example.net)). After 2 of them, receivers may stop with an error. Left out: a:gone.example.net (no such record exists). If one of them names a service that you use, add that service. Replace the TXT record at example.com with: v=spf1 ip4:192.0.2.25 include:one.example.net include:two.example.net -all\ninclude:two.example.net (with mx:y.example.net and exists:z.example.net) leads to names that do not exist. If you use that service, ask it to correct its record, and keep the term. If not, publish the record below.\nReplace the TXT record at example.com with: v=spf1 ip4:192.0.2.25 include:one.example.net -all',
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
    'Some hosts in your SPF record have no address of the IP version that your mail is sent over, so those lookups find nothing: a:h0.example.com, a:h1.example.com/24//64 and ~a:h2.example.com. List their addresses instead. Changed: a:h0.example.com is now ip6:2001:db8::1, a:h1.example.com/24//64 is now ip6:2001:db8::2/64 and ~a:h2.example.com is now ~ip6:2001:db8::3. Replace the TXT record at example.com with: v=spf1 ip4:192.0.2.25 ip6:2001:db8::1 ip6:2001:db8::2/64 ~ip6:2001:db8::3 -all',
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
    'Your SPF record refers to another record that lets nearly anyone send as you: include:two.example.net (with +all). Which servers and services send for example.com? Add each of them to the record below before you publish it: mail from all others then gets an SPF softfail (~all).\nReplace the TXT record at example.com with: v=spf1 include:one.example.net ip4:192.0.2.25 ~all',
  ],
  [
    'spf_result',
    { zone: spf('v=spf1 a include:%{l}._spf.%{d} -all') },
    'include:%{l}._spf.%{d} generates a new name for each email, and the name for this email has no usable record. Replace the TXT record at example.com with: v=spf1 ip4:192.0.2.25 a include:%{l}._spf.%{d} -all',
  ],
  [
    'spf_syntax',
    { zone: spf(`v=spf1 ip4:${IP} ptr exists:%{p}.example.com -all`) },
    'Your SPF record asks for the reverse name of each sender (ptr). That is slow, and receivers may ignore it. Your record allows servers by their reverse names (ptr and exists:%{p}.example.com). Which servers of example.com send mail? Add the address of each (ip4: or ip6:) to the record below before you publish it: servers that it does not list no longer pass.\nReplace the TXT record at example.com with: v=spf1 ip4:192.0.2.25 -all',
  ],
  [
    'dmarc_rua',
    {
      zone: {
        ...dmarc('v=DMARC1; p=reject; rua=mailto:a@reports.example.net'),
        'reports.example.net': ORIGIN,
      },
    },
    'The owner of reports.example.net has not agreed to receive your reports, so receivers do not send them. Create the mailbox dmarc@example.com if it does not exist yet. The reports will go there.\nReplace the TXT record at _dmarc.example.com with: v=DMARC1; p=reject; rua=mailto:a@reports.example.net,mailto:dmarc@example.com\nOr keep sending the reports to reports.example.net, if it is your domain or belongs to a service that you use. Whoever runs the DNS of reports.example.net then has to publish a TXT record there, named example.com._report._dmarc.reports.example.net, with the text: v=DMARC1',
  ],
  [
    'rdns_ptr',
    { zone: { [PTR]: null } },
    'Your sending address 192.0.2.25 has no reverse DNS name (PTR), and many receivers refuse mail from such addresses. Ask the owner of the address, usually your hosting provider, to set its reverse name (PTR) to: mail.example.com',
  ],
  [
    'rdns_fcrdns',
    { zone: { [PTR]: { PTR: ['gone.example.com'] } } },
    'The reverse name of 192.0.2.25 does not resolve back to 192.0.2.25, so receivers do not trust the name. Publish this A record at gone.example.com: 192.0.2.25',
  ],
  [
    'helo_valid',
    { client: { helo: 'localhost' } },
    'The name your server gives in HELO cannot be used outside your network. Set the HELO name to mail.example.com (Postfix: smtp_helo_name = mail.example.com).',
  ],
  [
    'from_domain_mx',
    { zone: { 'example.com': { A: ['192.0.2.80'], TXT: [RIGHT_SPF] } } },
    'example.com has no MX record, so replies go to the server at its address, which may not accept mail. Which server receives replies for example.com? Your mail provider shows its name in the setup guide. Publish an MX record at example.com that names it. If no server receives mail for example.com, use a domain that has one for replies.',
  ],
  [
    'mta_sts',
    { zone: { '_mta-sts.example.com': null } },
    'Nothing tells other servers to use TLS when they send mail to example.com. Start in testing mode, which changes nothing yet. Serve this file at https://mta-sts.example.com/.well-known/mta-sts.txt as text/plain, with a valid certificate and without a redirect:\nversion: STSv1\nmode: testing\nmx: mail.example.com\nmax_age: 604800\nPublish this TXT record at _mta-sts.example.com: v=STSv1; id=20261120100005',
  ],
  ...[
    '"v=TLSRPTv1; rua=a@reports.example.net"',
    'v:TLSRPTv1 rua:mailto:a@reports.example.net',
    'v=TLSRPTv1; rua=<mailto:a@reports.example.net>; rua=mailto:a@reports.example.net',
  ].map(
    (text): Printed => [
      'tls_rpt',
      { zone: { '_smtp._tls.example.com': { TXT: [text] } } },
      'Senders cannot use your TLS reporting record. Replace the TXT record at _smtp._tls.example.com with: v=TLSRPTv1; rua=mailto:a@reports.example.net',
    ],
  ),
  [
    'tls_rpt',
    { zone: { '_smtp._tls.example.com': null } },
    'example.com does not ask for reports on TLS failures, so nobody tells you when mail to you cannot be delivered securely. Create the mailbox tls@example.com if it does not exist yet. The reports will go there.\nPublish this TXT record at _smtp._tls.example.com: v=TLSRPTv1; rua=mailto:tls@example.com',
  ],
  [
    'list_unsubscribe',
    { mail: newsletter({ 'List-Unsubscribe': null }) },
    'Mail programs cannot offer a way to unsubscribe from this email, so readers report it as spam. Set the List-Unsubscribe header to an https URL, in angle brackets, that unsubscribes this recipient when it receives a POST request. Your mailing software has that URL, or can create it.\nSet this header: List-Unsubscribe-Post: List-Unsubscribe=One-Click',
  ],
  [
    'date_header',
    { mail: newsletter({ Date: null }) },
    'The Date header is missing or cannot be read, so receivers cannot tell when you sent this email. Have your mail program write Date at the moment it sends, in this form: Fri, 20 Nov 2026 10:00:05 +0000',
  ],
];
test.each(fixes)('%s (%#) prints what to publish', async (id, about, fix) => {
  const { report } = await environment.analyze(about);
  expect(report.findings.find((finding) => finding.id === id)?.fix).toEqual(fix);
});
