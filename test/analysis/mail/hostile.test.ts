/** Tests that malformed and hostile emails can be read. */

import { expect, test } from 'vitest';
import { htmlMail, mail, part, read, utf8 } from './mails.ts';

/** `test/edge/mail` tests how long a hostile email takes, and that its report is complete. */
const repeat = (text: string, bytes: number) => text.repeat(Math.ceil(bytes / text.length));

const multi = (boundary: string, body: string) =>
  mail({ 'Content-Type': `multipart/mixed; boundary="${boundary}"` }, body);

test('a From of 40,000 addresses is not parsed', () => {
  const { headerFrom } = read(mail({ From: repeat('a@example.com, ', 600_000) }));
  expect(headerFrom).toMatchObject({ domain: null, addresses: 0 });
});

test('names of the JavaScript prototype are names like others', () => {
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
])('%s executes nothing', (_, type, body) => {
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

test('an email that is cut at any byte can still be read', () => {
  const html = part(
    'text/html; charset=utf-8',
    utf8('<p>Grüße <a href="https://example.com/">x</a>'),
  );
  const whole = multi('b', `--b\r\n${part('text/plain', 'Hello')}\r\n--b\r\n${html}\r\n--b--`);
  for (let end = 0; end <= whole.length; end++) {
    const reading = read(whole.subarray(0, end));
    expect(reading.guard.bodyOffset ?? 0).toBeLessThanOrEqual(end);
  }
});
