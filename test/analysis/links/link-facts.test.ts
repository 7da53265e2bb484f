/**
 * Tests which facts are gathered about the links and pictures of an email, and how a way to
 * unsubscribe is found among them.
 */

import { expect, test } from 'vitest';
import { htmlMail, mail, multipart, part, read, utf8 } from '../mail/mails.ts';

const linksOf = (...hrefs: readonly string[]) =>
  read(htmlMail(hrefs.map((href) => `<a href="${href}">words</a>`).join(' '))).links;

test.each([
  ['https://example.com/a?b=c#d', 'example.com'],
  ['HTTPS://EXAMPLE.com', 'example.com'],
  [' https://example.com ', 'example.com'],
  ['https:\\\\example.com\\a', 'example.com'],
  ['https:example.com', 'example.com'],
  ['ht\ntps://example.com', 'example.com'],
  ['https://user:pass@example.com/', 'example.com'],
  ['https://b\u00fccher.example/', 'xn--bcher-kva.example'],
  ['//example.com/a', 'example.com'],
  ['https://under_score.example.com', 'under_score.example.com'],
])('%j leads to %s', (href, host) => {
  expect(linksOf(href).report.domains.map((one) => one.host)).toEqual([host]);
});

test.each([
  ['', 'empty'],
  ['#', 'empty'],
  ['/relative', 'relative'],
  ['example.com/a', 'relative'],
  ['www.example.com:8080/a', 'relative'],
  ['https//example.com/a', 'relative'],
  ['{{link}}', 'unparsable'],
  ['htps://example.com/a', 'unparsable'],
  ['localhost:3000/reset', 'localhost'],
  ['https://', 'unparsable'],
  ['https://exa mple.com', 'unparsable'],
  ['https://{{domain}}/', 'unparsable'],
  ['https://[::1', 'unparsable'],
  ['https://example.com:99999/', 'unparsable'],
  [`https://${'a'.repeat(3000)}/`, 'unparsable'],
  ['file:///c:/x', 'file'],
  ['http://localhost:3000/', 'localhost'],
  ['http://127.0.0.1/', 'localhost'],
  ['http://2130706433/', 'localhost'],
  ['https://intranet/', 'private_host'],
  ['https://web.local/', 'private_host'],
  ['https://192.168.1.2/', 'private_host'],
  ['https://10.0.0.1/', 'private_host'],
  ['https://www.exam\u200bple.com/', 'zero_width'],
])('%j is malformed: %s', (href, shape) => {
  expect(linksOf(href).malformed).toEqual([{ shape, count: 1 }]);
});

test.each([
  ['#top'],
  ['mailto:a@example.com'],
  ['tel:+49123'],
  ['https://example.com/'],
  ['cid:x'],
])('%s is not a malformed link', (href) => {
  expect(linksOf(href).malformed).toEqual([]);
});

test.each([
  ['https://192.0.2.1/', ['192.0.2.1']],
  ['https://3221225985/', ['192.0.2.1']],
  ['https://0xc0.0.2.1/', ['192.0.2.1']],
  ['https://[2001:db8::1]/', ['[2001:db8::1]']],
  ['https://paypal.com@evil.example/', []],
  ['https://example.com/', []],
])('%s has the IP hosts %j', (href, hosts) => {
  expect(linksOf(href).ipHosts).toEqual(hosts);
});

test.each([
  ['https://paypal.com@evil.example/', ['evil.example']],
  ['https://user:word@www.example.com/', ['www.example.com']],
  ['https://www.example.com/@user', []],
])('%s has a name before the @ of %j', (href, hosts) => {
  expect(linksOf(href).userinfoHosts).toEqual(hosts);
});

test.each([
  ['https://example.com:8443/', ['example.com']],
  ['https://example.com:443/', []],
  ['http://example.com:80/', []],
])('%s has the odd ports %j', (href, hosts) => {
  expect(linksOf(href).oddPorts).toEqual(hosts);
});

test.each([
  ['https://bit.ly/abc', ['bit.ly']],
  ['https://www.tinyurl.com/abc', ['www.tinyurl.com']],
  ['https://rabbit.ly/abc', []],
  ['https://example.com/bit.ly', []],
])('%s has the shorteners %j', (href, hosts) => {
  expect(linksOf(href).shorteners).toEqual(hosts);
});

test.each([
  ['http://192.168.178.1/', []],
  ['http://[fd00::1]/', []],
  ['http://192.0.2.80/', ['192.0.2.80']],
  ['http://8.8.8.8/login', ['8.8.8.8']],
])('%s hides its host behind an address: %j', (href, hosts) => {
  expect(linksOf(href).ipHosts).toEqual(hosts);
});

test('http links and pictures are reported by host', () => {
  const { links } = read(
    htmlMail('<a href="http://a.example/">x</a><img src="http://b.example/i.png">'),
  );
  expect(links.httpHosts).toEqual(['a.example', 'b.example']);
  expect(links.report.non_https).toBe(2);
  expect(linksOf('https://a.example/').httpHosts).toEqual([]);
});

test.each([
  ['https://xn--pypal-4ve.com/', ['xn--pypal-4ve.com'], []],
  ['https://xn--bcher-kva.example/', [], ['xn--bcher-kva.example']],
  ['https://example.com/', [], []],
])('%s: suspicious %j, single script %j', (href, suspicious, idn) => {
  expect(linksOf(href).homographs).toEqual({ suspicious, idn });
});

test.each([
  ['www.other.example.org', 'https://click.example.com/x', 'www.other.example.org'],
  ['https://bank.test.org/login', 'https://example.com/', 'bank.test.org'],
  ['bank.org', 'https://example.com/', 'bank.org'],
  ['<b>bank</b>.org', 'https://example.com/', 'bank.org'],
  ['www.example.com', 'https://click.example.com/x', null],
  ['Visit our shop', 'https://example.com/', null],
  ['a@bank.org', 'https://example.com/', null],
  ['README.md', 'https://example.com/', null],
  ['socket.io', 'https://github.com/socketio/socket.io', null],
  ['https://socket.io/docs', 'https://example.com/', 'socket.io'],
  ['bank.org', 'https://eur02.safelinks.protection.outlook.com/?url=x', null],
  ['bank.org', 'https://urldefense.com/v3/__https://bank.org/__;!!x', null],
  ['bank.org', 'https://protection.outlook.com.example.net/?url=x', 'bank.org'],
  ['bank.org', 'https://www.google.com/url?q=https://bank.org/', null],
  ['bank.org', 'https://www.google.com/url?q=https://fraud.example.net/', 'bank.org'],
  ['node.js', 'https://example.com/', null],
  ['see bank.org for more', 'https://example.com/', null],
])('a link shown as %s that leads to %s', (shown, href, domain) => {
  const { mismatches } = read(htmlMail(`<a href="${href}">${shown}</a>`)).links;
  expect(mismatches.map(({ shown_domain }) => shown_domain)).toEqual(domain ? [domain] : []);
});

test('a host is one entry with its count, schemes and roles', () => {
  const { links } = read(
    htmlMail(
      '<a href="https://www.example.com/a">x</a><a href="http://www.example.com/b">y</a>' +
        '<img src="https://www.example.com/i.png"><p>To leave, <a href="https://www.example.com/c">unsubscribe</a></p>',
    ),
  );
  expect(links.report).toMatchObject({ total: 3, distinct_domains: 1, non_https: 1 });
  expect(links.report.domains).toEqual([
    {
      host: 'www.example.com',
      organizational_domain: 'example.com',
      count: 4,
      schemes: ['https', 'http'],
      roles: ['link', 'unsubscribe', 'image'],
      aligned_with_from: true,
      shortener: false,
      ip_literal: false,
      idn: false,
      non_default_port: false,
      reputation: 'not_checked',
      threats: [],
      expires_at: null,
    },
  ]);
  expect(links.underFromDomain).toBe(true);
});

test('a picture below the From domain is not a link below it', () => {
  const { links } = read(
    htmlMail('<a href="https://other.example/">x</a><img src="https://example.com/i.png">'),
  );
  expect(links.underFromDomain).toBe(false);
});

test('organizations are counted by the Public Suffix List', () => {
  const { organizationalDomains } = linksOf(
    'https://a.example.co.uk/',
    'https://b.example.co.uk/',
    'https://c.other.co.uk/',
  );
  expect(organizationalDomains).toBe(2);
});

test('1,000 links and pictures are examined, and the rest is reported as cut', () => {
  const many = (n: number) => {
    const { content, links } = read(htmlMail('<a href="https://example.com/">x</a>'.repeat(n)));
    return [links.report.total, links.truncated, content.mime.defects];
  };
  expect(many(1000)).toEqual([1000, false, []]);
  expect(many(1001)).toEqual([1000, true, ['links_truncated']]);
});

test('all hosts are listed and counted', () => {
  const { report } = linksOf(...Array.from({ length: 150 }, (_, i) => `https://h${i}.example/`));
  expect([report.domains.length, report.distinct_domains]).toEqual([150, 150]);
});

test('links in plain text are found', () => {
  const { links } = read(mail({}, 'See https://example.com/a, or (http://b.example/c).'));
  expect(links.report.domains.map(({ host }) => host)).toEqual(['example.com', 'b.example']);
});

test('links that both text and HTML contain are counted once', () => {
  const both = multipart('alternative', [
    part('text/plain', 'See https://example.com/a'),
    part('text/html', '<html><body><a href="https://example.com/a">See</a></body></html>'),
  ]);
  expect(read(both).links.report.total).toBe(1);
});

test.each([
  ['<a href="https://example.com/u">Unsubscribe</a>', true],
  ['<a href="https://example.com/u">Newsletter abbestellen</a>', true],
  ['<a href="https://example.com/u">配信停止</a>', true],
  ['<a href="https://example.com/u">Se désabonner</a>', true],
  ['<a href="https://example.com/u">Abmeldung</a>', true],
  ['Um sich vom Newsletter abzumelden, <a href="https://example.com/u">hier klicken</a>', true],
  ['<a href="https://example.com/u">Ab&shy;mel&shy;den</a>', true],
  ['<a href="https://example.com/u">De\u0301sabonnement</a>', true],
  ['<a href="https://example.com/u">opt&nbsp;out</a>', true],
  ['<a href="https://example.com/u">manage\r\n  preferences</a>', true],
  ['<a href="https://example.com/u">Cancella l’iscrizione</a>', true],
  ['<a href="https://example.com/u">구독취소</a>', true],
  ['<a href="https://example.com/u">להסרה מהרשימה</a>', true],
  ['<a href="https://example.com/u">لغو عضویت</a>', true],
  ['<a href="https://example.com/u">सदस्यता छोड़ें</a>', true],
  ['<a href="https://example.com/u"><img src="u.png" alt="Unsubscribe"></a>', true],
  ['<a href="https://example.com/u">Zrušit odběr</a>', true],
  ['<a href="https://example.com/u">إلغاء الإشتراك</a>', true],
  ['<a href="https://example.com/u">メルマガ解除</a>', true],
  [
    'Si vous ne souhaitez plus recevoir nos courriels, <a href="https://example.com/u">ici</a>',
    true,
  ],
  ['<img src="u.png" alt="Unsubscribe"> <a href="https://example.com/u">Our shop</a>', false],
  ['<a href="https://example.com/u">Anmeldung</a>', false],
  ['If you want to opt out, click <a href="https://example.com/u">here</a>', true],
  ['<a href="https://example.com/unsubscribe/7">x</a>', true],
  ['Unsubscribe', false],
  ['<a href="https://example.com/u">Our shop</a>', false],
  [`unsubscribe ${'word '.repeat(40)} <a href="https://example.com/u">here</a>`, false],
])('%s: a way to unsubscribe is found: %s', (body, found) => {
  expect(read(htmlMail(body)).content.content.unsubscribe_link_found).toBe(found);
});

test.each([
  ['Visit https://www.example.com, please'],
  ['Is it https://www.example.com?'],
  ['*https://www.example.com*'],
  ['[https://www.example.com]'],
  ['“https://www.example.com”'],
  ['«https://www.example.com»'],
  ['https://www.example.com…'],
  ['a | https://www.example.com| b'],
  ['詳しくはhttps://www.example.comをご覧ください'],
  ['詳しくは（https://www.example.com）'],
])('a URL in text ends where its sentence continues: %s', (text) => {
  const bytes = mail({ 'Content-Type': 'text/plain; charset=utf-8' }, utf8(text));
  const { report, malformed } = read(bytes).links;
  expect(report.domains.map(({ host }) => host)).toEqual(['www.example.com']);
  expect(malformed).toEqual([]);
});

test('an internationalized host in text is read in full', () => {
  const bytes = mail({ 'Content-Type': 'text/plain; charset=utf-8' }, utf8('https://bücher.com/a'));
  expect(read(bytes).links.report.domains.map(({ host }) => host)).toEqual(['xn--bcher-kva.com']);
});

test('a client makes a link of www., but not of the end of another name', () => {
  const hosts = (text: string) => read(mail({}, text)).links.report.domains.map(({ host }) => host);
  expect(hosts('See www.example.com/a, or mail a@www.example.net')).toEqual(['www.example.com']);
  expect(hosts('See https://www.example.com/a')).toEqual(['www.example.com']);
});

test.each([
  ['To unsubscribe: https://example.com/u', true],
  ['Talk mailing list\r\nhttps://lists.example.com/mailman/listinfo/talk', true],
  ['To unsubscribe write to mailto:u@example.com', true],
  ['To unsubscribe: www.example.com/u', true],
  ['To unsubscribe write to leave@lists.example.com', true],
  ['Questions? unsubscribe@example.com', true],
  ['Questions? office@example.com', false],
  ['https://example.com/u', false],
])('a way to unsubscribe in plain text: %s: %s', (text, found) => {
  expect(read(mail({}, text)).content.content.unsubscribe_link_found).toBe(found);
});
