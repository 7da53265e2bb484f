import { expect, test } from 'vitest';
import { readMail } from '../../../src/analysis/mail/read-mail.ts';
import { scanHeaders } from '../../support/mail/scan-headers.ts';
import { cpuTime } from '../../support/process/cpu-time.ts';
import { zip } from '../mime/zip.ts';
import { context, htmlMail, mail, part, read, utf8 } from './mails.ts';

/** Far above what linear work takes here, far below what quadratic work would. */
const BOUND_MS = 4000;

const MIB = 1024 * 1024;

const repeat = (text: string, bytes: number) => text.repeat(Math.ceil(bytes / text.length));

const multi = (boundary: string, body: string) =>
  mail({ 'Content-Type': `multipart/mixed; boundary="${boundary}"` }, body);

const styled = (style: string) => htmlMail(repeat(`<p style="${style}">x</p>`, 2 * MIB));

const hostile: Record<string, () => Uint8Array> = {
  'a line of 20 MiB': () => mail({}, 'x'.repeat(20 * MIB)),
  '5 MiB of line ends': () => mail({}, '\n'.repeat(5 * MIB)),
  '5 MiB of false delimiters': () => multi('b', repeat('--c\r\n', 5 * MIB)),
  '5 MiB of delimiters': () => multi('b', repeat('--b\r\n', 5 * MIB)),
  '40,000 From addresses': () => mail({ From: repeat('a@example.com, ', 600_000) }),
  '4,000 To addresses': () => mail({ To: repeat('a@example.com, ', 60_000) }),
  'open angles in To': () => mail({ To: repeat('<', 60_000) }),
  'open comments in To': () => mail({ To: repeat('(', 60_000) }),
  'open quotes in To': () => mail({ To: repeat('"\\"', 60_000) }),
  'dots in Reply-To': () => mail({ 'Reply-To': repeat('a.', 60_000) }),
  'false encoded-words': () => mail({ Subject: repeat('=?a?b?', 60_000) }),
  'encoded-words without end': () => mail({ Subject: repeat('=?', 60_000) }),
  'many encoded-words': () => mail({ Subject: repeat('=?utf-8?q?a?= ', 60_000) }),
  'a long Date': () => mail({ Date: repeat('Fri, 20 ', 60_000) }),
  'a long Message-ID': () => mail({ 'Message-ID': `<${repeat('a.', 60_000)}@b>` }),
  'a List-Unsubscribe of brackets': () => mail({ 'List-Unsubscribe': repeat('<', 60_000) }),
  'a Received of digits': () => mail({ Received: repeat('10.', 60_000) }),
  '50 Received of brackets': () =>
    mail({ Received: Array<string>(50).fill(`from ${repeat('[', 3900)}; x`) }),
  '10,000 header fields': () =>
    Buffer.from(`${repeat('X-Field: value\r\n', 160_000)}\r\nbody`, 'latin1'),
  'a header without end': () => Buffer.from(repeat('X-Field: value\r\n', 10 * MIB)),
  'a part header without end': () => multi('b', `--b\r\n${repeat('X-Field: value\r\n', 10 * MIB)}`),
  '2,000 signatures': () => mail({ 'DKIM-Signature': Array(2000).fill('d=example.com; s=a') }),
  'h= of 5,000 names': () => mail({ 'DKIM-Signature': `h=${repeat('from:', 30_000)}` }),
  '1,000 parameters': () => mail({ 'Content-Type': `text/plain; ${repeat('a*1=b; ', 60_000)}` }),
  '2 MiB of open elements': () => htmlMail(repeat('<div>', 2 * MIB)),
  'end tags below a deep cell': () =>
    htmlMail(`<div><table><tr><td>${'<b>'.repeat(240)}${repeat('</div>', 2 * MIB)}`),
  '500,000 attributes': () =>
    htmlMail(`<a ${Array.from({ length: 300_000 }, (_, i) => `a${i}`).join(' ')}>`),
  '2 MiB of angle brackets': () => htmlMail(repeat('<', 2 * MIB)),
  '2 MiB of ampersands': () => htmlMail(repeat('&amp', 2 * MIB)),
  'crosswise formatting': () => htmlMail(`${repeat('<b><i>', MIB)}${repeat('</b>', MIB)}`),
  '2 MiB of styles': () => styled('a:b;'.repeat(40)),
  'style urls without end': () => styled('background:url('.repeat(20)),
  '100,000 links': () =>
    htmlMail(repeat('<a href="https://example.com/">unsubscribe</a>', 2 * MIB)),
  'a link of 2 MiB': () => htmlMail(`<a href="https://${'a'.repeat(2 * MIB)}">x</a>`),
  'placeholders that never close': () => mail({}, repeat('{{a ', 2 * MIB)),
  'phrases over and over': () => mail({}, repeat('no risky', 2 * MIB)),
  '2 MiB of URLs': () => mail({}, repeat('https://', 2 * MIB)),
  'false base64': () => mail({ 'Content-Transfer-Encoding': 'base64' }, repeat('=', 10 * MIB)),
  'quoted-printable of soft breaks': () =>
    mail({ 'Content-Transfer-Encoding': 'quoted-printable' }, repeat('=   ', 10 * MIB)),
  'a text part of 20 MiB of words': () => mail({}, repeat('word ', 20 * MIB)),
  'a ZIP directory of 60,000 entries': () =>
    Buffer.concat([
      mail({ 'Content-Type': 'application/zip' }, ''),
      zip(Array(60_000).fill({ name: 'a.txt' })),
    ]),
};

test.each(Object.entries(hostile))('%s takes bounded time', (_, make) => {
  const bytes = make();
  const { result, ms } = cpuTime(() => readMail(bytes, context));
  expect(result.guard.totalBytes).toBe(bytes.length);
  expect(ms).toBeLessThan(BOUND_MS);
});

test('the header scan of the largest header allowed is quick', () => {
  const bytes = mail({ To: repeat('a@example.com, ', 60_000), Subject: repeat('=?a?b?', 60_000) });
  expect(cpuTime(() => scanHeaders(bytes)).ms).toBeLessThan(200);
});

test('a From of 40,000 addresses is not parsed', () => {
  const { headerFrom } = read(mail({ From: repeat('a@example.com, ', 600_000) }));
  expect(headerFrom).toMatchObject({ domain: null, addresses: 0 });
});

test('names of the prototype are names like others', () => {
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
  const fields = Object.fromEntries(names.map((name) => [`X-${name}`, name]));
  const raw = Buffer.concat([Buffer.from('__proto__: x\r\nconstructor: y\r\n'), mail(fields)]);
  expect(read(raw).headers.from.fault).toBeNull();

  const typed = mail({ 'Content-Type': 'text/plain; __proto__=x; constructor=y; charset=utf-8' });
  expect(read(typed).content.mime.parts[0]?.charset).toBe('utf-8');

  const html = htmlMail('<constructor __proto__="x">a</constructor><p __proto__="y">b</p>');
  expect(read(html).content.content.html_words).toBe(2);

  const hosts = htmlMail(names.map((name) => `<a href="https://${name}/">x</a>`).join(''));
  expect(read(hosts).links.report.distinct_domains).toBe(4);
  expect(Object.getPrototypeOf({})).toBe(Object.prototype);
});

test.each([
  ['UTF-7', 'text/html; charset=utf-7', '+ADw-script+AD4-'],
  ['UTF-16', 'text/html; charset=utf-16le', Buffer.from('<p>a</p>', 'utf16le').toString('latin1')],
  ['ISO-2022-JP', 'text/html; charset=iso-2022-jp', '\x1b$B<script>\x1b(B'],
  ['a cut UTF-8 character', 'text/plain; charset=utf-8', '\xe2\x82'],
  ['NULs', 'text/html; charset=utf-8', '<p\0>a\0b</p\0>'],
])('%s runs nothing', (_, type, body) => {
  expect(read(mail({ 'Content-Type': type }, body)).content.active.hard).toEqual([]);
});

test('NULs and bare line ends are facts', () => {
  const { lines } = read(mail({}, 'a\0b\rc\nd')).headers;
  expect(lines).toMatchObject({ nul: true, bareNewlines: true });
});

test.each([
  'https://%',
  'https://%zz.example/',
  'https://a..b/',
  'https://-/',
  'https://[',
  'https://[::ffff:1.2.3.4%25eth0]/',
  'https://1.2.3.4.5/',
  'https://256.256.256.256/',
  'https://xn--/',
  'https://xn--\u00fc/',
  'https://\u202eexample.com/',
  'https://a\u0000b/',
  'https://\ud800/',
  'https://user:@:80/',
  'https://example.com:0x50/',
  'javascript://example.com/%0aalert(1)',
  'data:text/html,<script>x</script>',
  'https:////example.com',
  'x'.repeat(100_000),
])('the href %j is judged', (href) => {
  const { links } = read(htmlMail(`<a href='${href}'>x</a>`));
  expect(links.report.total).toBe(1);
});

test('a delimiter inside a part header begins the next part', () => {
  const bytes = multi(
    'b',
    `--b\r\nContent-Type: text/html\r\n--b\r\n${part('text/plain', 'x')}\r\n--b--`,
  );
  expect(read(bytes).content.mime.structure).toBe('multipart/mixed(text/html,text/plain)');
});

test('cut at every byte, a mail still reads', () => {
  const html = part(
    'text/html; charset=utf-8',
    utf8('<p>Grüße <a href="https://example.com/">x</a>'),
  );
  const whole = multi('b', `--b\r\n${part('text/plain', 'Hello')}\r\n--b\r\n${html}\r\n--b--`);
  for (let end = 0; end <= whole.length; end++) {
    const reading = read(whole.subarray(0, end));
    expect(reading.guard.totalBytes).toBe(end);
  }
});
