/** Groups of setups that receivers treat alike, each with the range of scores that a sender may expect. */

import { IP } from '../../support/mail/inspection-environment.ts';
import { keyRecord, keys } from './keys.ts';
import { letter, newsletter, page, withFiles, withHtml } from './mails.ts';
import { FLAGGED } from './names.ts';
import { elsewhere, notice, plainly, type Setup, setup } from './setups.ts';
import { dmarc, ORIGIN, PTR, spf } from './zone.ts';

/** Setups that receivers treat alike, whichever check finds their fault. */
export interface Effect {
  /** The reaction of receivers to these emails. */
  readonly about: string;
  /** The range of scores that a sender may expect. */
  readonly band: readonly [lowest: number, highest: number];
  readonly setups: Readonly<Record<string, Setup>>;
}

const RUA = 'rua=mailto:dmarc@example.com';
const none = dmarc(`v=DMARC1; p=none; ${RUA}`);
const KEY = 's1._domainkey.example.com';
const pass = `ip4:${IP}`;
const hosts = (count: number) => Array.from({ length: count }, (_, at) => `a${at + 1}.example`);
const includes = hosts(11);
const foreign = elsewhere('esp.example');
const unlisted = spf('v=spf1 ip4:198.51.100.5 -all');
const bulk = (fields = {}) => newsletter({ 'List-Id': null, 'Feedback-ID': null, ...fields });
const generic = '25.2.0.192.dsl.isp.example';
const linked = (href: string, text = 'Look') =>
  setup({ mail: withHtml(`<p><a href="${href}">${text}</a></p>`) });

export const effects: readonly Effect[] = [
  {
    about: 'nothing is wrong',
    band: [97, 100],
    setups: {
      'a notice': setup(),
      'a newsletter with one-click': setup({ mail: bulk() }),
      'a bounce whose HELO name has no SPF': setup({
        from: { localPart: '', domain: '', smtputf8: false },
        mail: notice({
          From: 'Mail <mailer-daemon@example.com>',
          'Auto-Submitted': 'auto-replied',
        }),
      }),
      quarantine: setup({ zone: dmarc(`v=DMARC1; p=quarantine; ${RUA}`) }),
      '~all under an enforced policy': setup({ zone: spf(`v=spf1 ${pass} ~all`) }),
      'a tracking host behind the own domain': setup({
        mail: withHtml('<p><a href="https://click.esp.example/1">www.example.com</a></p>'),
      }),
      '@import in a style sheet': setup({
        mail: withHtml(
          '',
          '<style>@import url(https://www.example.com/a.css);</style><title>x</title>',
        ),
      }),
      'SPF not aligned, DKIM aligned': setup({ ...foreign, signatures: [plainly()] }),
    },
  },
  {
    about: 'SPF does not pass; DKIM is aligned, and DMARC passes',
    band: [71, 77],
    setups: {
      'SPF fail': setup({ zone: unlisted }),
      softfail: setup({ zone: spf('v=spf1 ip4:198.51.100.5 ~all') }),
      neutral: setup({ zone: spf('v=spf1 ip4:198.51.100.5 ?all') }),
      'no SPF record': setup({ zone: { 'example.com': ORIGIN } }),
      'two records': setup({ zone: spf(`v=spf1 ${pass} -all`, 'v=spf1 mx -all') }),
      '11 lookups': setup({
        zone: {
          ...spf(`v=spf1 ${includes.map((name) => `include:${name}`).join(' ')} ${pass} -all`),
          ...Object.fromEntries(includes.map((name) => [name, { TXT: ['v=spf1 -all'] }])),
        },
      }),
      '3 void lookups': setup({
        zone: spf(`v=spf1 a:x1.example a:x2.example a:x3.example ${pass} -all`),
      }),
      'a syntax error': setup({ zone: spf(`v=spf1 ipv4:${IP} -all`) }),
      'an include without a record': setup({
        zone: spf(`v=spf1 include:gone.example ${pass} -all`),
      }),
    },
  },
  {
    about: 'no DKIM signature counts; SPF is aligned, and DMARC passes',
    band: [60, 80],
    setups: {
      'no signature': setup({ signatures: [] }),
      'body changed': setup({ alter: (mail) => mail.replace('Track it', 'Track it!') }),
      'header changed': setup({ alter: (mail) => mail.replace('has shipped', 'shipped') }),
      'no key': setup({ zone: { [KEY]: null } }),
      'a revoked key': setup({ zone: { [KEY]: { TXT: ['v=DKIM1; p='] } } }),
      'a key of 512 bits': setup({
        signatures: [plainly({ key: keys.rsa512.key })],
        zone: { [KEY]: { TXT: [`v=DKIM1; p=${keys.rsa512.p}`] } },
      }),
      'rsa-sha1': setup({ signatures: [plainly({ a: 'rsa-sha1' })] }),
      'only Ed25519': setup({
        signatures: [plainly({ key: keys.ed25519.key, a: 'ed25519-sha256' })],
        zone: { [KEY]: { TXT: [`v=DKIM1; k=ed25519; p=${keys.ed25519.p}`] } },
      }),
      expired: setup({ signatures: [plainly({ tags: { t: 1700000000, x: 1700086400 } })] }),
      'From is not signed': setup({ signatures: [plainly({ h: ['to', 'subject', 'date'] })] }),
    },
  },
  {
    about: 'DKIM passes for another domain only; SPF is aligned, and DMARC passes',
    band: [85, 96],
    setups: {
      'a platform signs as itself': setup({
        signatures: foreign.signatures ?? [],
        zone: foreign.zone ?? {},
      }),
    },
  },
  {
    about: 'receivers refuse it: DMARC fails, and the policy is enforced',
    band: [10, 50],
    setups: {
      'p=reject, all passes elsewhere': setup(foreign),
      'p=quarantine, all passes elsewhere': setup({
        ...foreign,
        zone: { ...foreign.zone, ...dmarc(`v=DMARC1; p=quarantine; ${RUA}`) },
      }),
      'a gmail.com From': setup({
        ...foreign,
        mail: notice({ From: 'Ann <ann.lee@gmail.com>' }),
        zone: {
          ...foreign.zone,
          '_dmarc.gmail.com': {
            TXT: ['v=DMARC1; p=none; sp=quarantine; rua=mailto:a@google.example'],
          },
          'gmail.com': ORIGIN,
        },
      }),
    },
  },
  {
    about: 'DMARC fails, and no policy asks to refuse it',
    band: [45, 65],
    setups: {
      'p=none, all passes elsewhere': setup({ ...foreign, zone: { ...foreign.zone, ...none } }),
      'no record, all passes elsewhere': setup({
        ...foreign,
        zone: { ...foreign.zone, '_dmarc.example.com': null },
      }),
    },
  },
  {
    about: 'receivers refuse it: neither SPF nor DKIM passes',
    band: [0, 40],
    setups: {
      'p=reject': setup({ signatures: [], zone: unlisted }),
      'p=none': setup({ signatures: [], zone: { ...unlisted, ...none } }),
      'softfail, p=none': setup({ signatures: [], zone: { ...spf('v=spf1 -all ~all'), ...none } }),
      'SPF fails and a broken signature, p=reject': setup({
        zone: unlisted,
        alter: (mail) => mail.replace('Track it', 'Track it!'),
      }),
    },
  },
  {
    about: 'refused, and nothing is published at all',
    band: [0, 30],
    setups: {
      'no record of any kind': setup({
        signatures: [],
        zone: { 'example.com': ORIGIN, '_dmarc.example.com': null },
      }),
    },
  },
  {
    about: 'the large receivers ask for a DMARC record, and there is none that counts',
    band: [65, 85],
    setups: {
      'no record': setup({ zone: { '_dmarc.example.com': null } }),
      'two records': setup({ zone: dmarc('v=DMARC1; p=none', 'v=DMARC1; p=reject') }),
      'no version': setup({ zone: dmarc('p=reject; v=DMARC1') }),
    },
  },
  {
    about: 'marketing cannot be left with one click',
    band: [80, 90],
    setups: {
      'no List-Unsubscribe': setup({
        mail: bulk({ Precedence: 'bulk', 'List-Unsubscribe': null, 'List-Unsubscribe-Post': null }),
      }),
      'no Post': setup({ mail: bulk({ 'List-Unsubscribe-Post': null }) }),
      'only mailto': setup({ mail: bulk({ 'List-Unsubscribe': '<mailto:u@example.com>' }) }),
      'only http': setup({ mail: bulk({ 'List-Unsubscribe': '<http://www.example.com/u>' }) }),
      'a wrong Post': setup({ mail: bulk({ 'List-Unsubscribe-Post': 'One-Click' }) }),
      'not signed': setup({
        mail: bulk(),
        signatures: [plainly({ h: ['from', 'to', 'subject', 'date', 'message-id'] })],
      }),
      'a template field for a link': setup({
        mail: bulk({ 'List-Unsubscribe': '<https://www.example.com/{{unsubscribe}}>' }),
      }),
      'no brackets': setup({ mail: bulk({ 'List-Unsubscribe': 'https://www.example.com/u/1' }) }),
    },
  },
  {
    about: 'refused for the name of the sending address',
    band: [45, 75],
    setups: {
      'no PTR': setup({ zone: { [PTR]: null } }),
      'a PTR that leads elsewhere': setup({
        zone: { 'mail.example.com': { A: ['198.51.100.9'] } },
      }),
    },
  },
  {
    about: 'a name of the network, which many receivers distrust',
    band: [78, 94],
    setups: {
      dsl: setup({
        zone: { [PTR]: { PTR: [generic] }, [generic]: { A: [IP] } },
        client: { helo: generic },
      }),
      vps: setup({
        zone: {
          [PTR]: { PTR: ['vmi123456.contaboserver.net'] },
          'vmi123456.contaboserver.net': { A: [IP] },
        },
        client: { helo: 'vmi123456.contaboserver.net' },
      }),
    },
  },
  {
    about: 'the message breaks RFC 5322, and Gmail has a reply for that',
    band: [71, 77],
    setups: {
      'no Message-ID': setup({ mail: notice({ 'Message-ID': null }) }),
      'two subjects': setup({ mail: notice({ Subject: ['one', 'two'] }) }),
      'two Dates': setup({
        mail: notice({
          Date: ['Fri, 20 Nov 2026 10:00:00 +0000', 'Fri, 20 Nov 2026 10:00:01 +0000'],
        }),
      }),
    },
  },
  {
    about: 'the message breaks RFC 5321 or 5322, and some receivers refuse it',
    band: [80, 90],
    setups: {
      'no Date': setup({ mail: notice({ Date: null }) }),
      'a Message-ID without <…@…>': setup({ mail: notice({ 'Message-ID': 'b1' }) }),
      'a line of 2,000 octets': setup({ mail: notice({}, page(`<p>${'a '.repeat(1000)}</p>`)) }),
      plaintext: setup({ client: { tls: { status: 'plaintext', version: null, cipher: null } } }),
      'HELO localhost': setup({ client: { helo: 'localhost' } }),
      'HELO is an address': setup({ client: { helo: IP } }),
    },
  },
  {
    about: 'no usable From',
    band: [0, 40],
    setups: {
      'no From': setup({ mail: notice({ From: null }) }),
      'two Froms': setup({ mail: notice({ From: ['a@example.com', 'b@example.com'] }) }),
      'not an address': setup({ mail: notice({ From: 'Example Shop' }) }),
    },
  },
  {
    about: 'bounces go nowhere, and many receivers refuse the sender',
    band: [40, 75],
    setups: {
      'an envelope domain that does not exist': setup({
        from: { localPart: 'b', domain: 'gone.example', smtputf8: false },
      }),
      'a null MX at the envelope domain': setup({
        from: { localPart: 'b', domain: 'null.example', smtputf8: false },
        zone: { 'null.example': { MX: ['0 .'], TXT: [`v=spf1 ${pass} -all`] } },
      }),
      'root@localhost': setup({
        from: { localPart: 'root', domain: 'localhost', smtputf8: false },
      }),
    },
  },
  {
    about: 'an address that sends spam now',
    band: [45, 75],
    setups: { SpamCop: setup({ zone: { '25.2.0.192.bl.spamcop.net': { A: ['127.0.0.2'] } } }) },
  },
  {
    about: 'readers or filters mind it a little, and nobody refuses it for that alone',
    band: [93, 99],
    setups: {
      'p=none without rua': setup({ zone: dmarc('v=DMARC1; p=none') }),
      'p=none': setup({ zone: none }),
      'a key of 1024 bits': setup({
        signatures: [plainly({ key: keys.rsa1024.key })],
        zone: { [KEY]: { TXT: [`v=DKIM1; k=rsa; p=${keys.rsa1024.p}`] } },
      }),
      'HTML only': setup({
        mail: {
          ...letter({ 'Content-Type': 'text/html; charset=utf-8' }),
          body: page('<p>Your order 10428 has shipped and will be there soon.</p>').replaceAll(
            '\n',
            '\r\n',
          ),
        },
      }),
      'a shortener': setup({ mail: withHtml('<p><a href="https://bit.ly/1">Look</a></p>') }),
      'http links': setup({ mail: withHtml('<p><a href="http://www.example.com/1">Look</a></p>') }),
      'a form': setup({
        mail: withHtml('<form action="https://www.example.com/f"><input name="a"></form>'),
      }),
      '130 KB of HTML': setup({ mail: withHtml(`<!--${`${'y'.repeat(98)}\n`.repeat(1300)}-->`) }),
      'a template field': setup({ mail: withHtml('<p>Dear {{first_name}}</p>') }),
      'no MX at the From domain': setup({
        zone: { 'example.com': { A: ['192.0.2.80'], TXT: [`v=spf1 ${pass} -all`] } },
      }),
      'a freemail Reply-To': setup({ mail: notice({ 'Reply-To': 'shop.example@gmail.com' }) }),
      'undisclosed recipients': setup({ mail: notice({ To: 'undisclosed-recipients:;' }) }),
      'no To': setup({ mail: notice({ To: null }) }),
      'an empty subject': setup({ mail: notice({ Subject: '' }) }),
      'CAPITALS!!!': setup({ mail: notice({ Subject: 'YOUR ORDER HAS SHIPPED!!!' }) }),
      'a Date of two days ago': setup({
        mail: notice({ Date: 'Wed, 18 Nov 2026 10:00:00 +0000' }),
      }),
      'a Message-ID of localhost': setup({ mail: notice({ 'Message-ID': '<1@localhost>' }) }),
      'no all': setup({ zone: spf(`v=spf1 ${pass}`) }),
      '?all': setup({ zone: spf(`v=spf1 ${pass} ?all`) }),
      't=y in the key': setup({ zone: { [KEY]: { TXT: [`${keyRecord}; t=y`] } } }),
      'l=': setup({ signatures: [plainly({ length: 'all' })] }),
    },
  },
  {
    // Filters count such an SPF record against its domain (rspamd: R_SPF_PLUSALL), and forged email passes
    // it.
    about: 'SPF lets anyone send as the domain, and its pass says nothing',
    band: [85, 93],
    setups: {
      '+all': setup({ zone: spf('v=spf1 +all') }),
      'half of IPv4': setup({ zone: spf('v=spf1 ip4:128.0.0.0/1 -all') }),
      'an include of +all': setup({
        zone: {
          ...spf('v=spf1 include:open.example.com -all'),
          'open.example.com': { TXT: ['v=spf1 +all'] },
        },
      }),
    },
  },
  {
    // Each of these has its own rule in SpamAssassin or rspamd (PHISHING, NUMERIC_HTTP_ADDR,
    // HTTP_USERNAME_USED).
    about: 'a link is made like those of phishing, and filters count it',
    band: [85, 94],
    setups: {
      'another domain behind a shown one': linked('https://click.esp.example/1', 'www.other.com'),
      'a name before the @': linked('https://www.bank.com@www.example.com/1'),
      'a bare address': linked('https://198.51.100.7/1'),
    },
  },
  {
    // Receivers show a warning on such an email or file it as spam, whoever signed it.
    about: 'it is made to look like somebody else’s',
    band: [80, 90],
    setups: {
      'a host of mixed scripts': linked('https://xn--pypal-4ve.com/1'),
      'a host that begins with another domain': linked('https://chase.com.www.example.com/1'),
      'a brand as the display name': setup({ mail: notice({ From: 'PayPal <news@example.com>' }) }),
      'a subject of mixed scripts': setup({
        mail: notice({
          Subject: `=?utf-8?B?${Buffer.from('Your РауРаl order').toString('base64')}?=`,
        }),
      }),
    },
  },
  {
    about: 'several small things together, and nobody refuses it',
    band: [89, 92],
    setups: {
      'a key of 1024 bits, p=none, no rua': setup({
        signatures: [plainly({ key: keys.rsa1024.key })],
        zone: {
          ...dmarc('v=DMARC1; p=none'),
          [KEY]: { TXT: [`v=DKIM1; k=rsa; p=${keys.rsa1024.p}`] },
        },
      }),
      '130 KB, images without alt, a shortener': setup({
        mail: withHtml(
          `<!--${`${'y'.repeat(98)}\n`.repeat(1300)}--><img src="https://www.example.com/1.png"><a href="https://bit.ly/1">Look</a>`,
        ),
      }),
    },
  },
  {
    about: 'a link that the web-risk service knows',
    band: [30, 40],
    setups: { flagged: linked(`https://${FLAGGED}/`) },
  },
  {
    about: 'a script on a server whose address is named by the network',
    band: [40, 50],
    setups: {
      'no signature, no DMARC record, a Message-ID of localhost': setup({
        mail: notice({ 'Message-ID': '<1@localhost>' }),
        signatures: [],
        client: { helo: generic },
        zone: {
          '_dmarc.example.com': null,
          [PTR]: { PTR: [generic] },
          [generic]: { A: [IP] },
        },
      }),
    },
  },
  {
    about: 'a file that receivers refuse',
    band: [0, 45],
    setups: {
      exe: setup({
        mail: withFiles(
          'Content-Type: application/octet-stream; name="a.exe"\r\nContent-Disposition: attachment; filename="a.exe"\r\nContent-Transfer-Encoding: base64\r\n\r\nTVqQAAMAAAAEAAAA\r\n',
        ),
      }),
    },
  },
];
