/**
 * Tests the parsing of MIME structures, including malformed and deeply nested ones: parts, sizes,
 * charsets, alternatives and decoded text.
 */

import { expect, test } from 'vitest';
import { base64, htmlMail, mail, multipart, part, read, utf8 } from '../mail/mails.ts';

const TEXT = part('text/plain; charset=utf-8', 'Hello');
const HTML = part('text/html; charset=utf-8', '<html><body>Hello</body></html>');
const PAGE = '<!doctype html>\r\n<html><body><p>Hello</p></body></html>';

const FOOTER = part('text/plain', 'You get this because you are on our list of friends.');
const UTF8 = { 'Content-Type': 'text/plain; charset=utf-8' };
const UTF16 = { 'Content-Type': 'text/plain; charset=utf-16le' };

/** Returns an email with one line of base64. */
const base64Mail = (text: string) =>
  mail(
    { ...UTF8, 'Content-Transfer-Encoding': 'base64' },
    Buffer.from(text, 'utf8').toString('base64'),
  );

const faultsOf = (bytes: Buffer) =>
  read(bytes).content.structureFaults.map(({ severity, id }) => `${severity} ${id}`);

/** Returns multiparts within each other, this many levels deep, with a text innermost. */
const nested = (levels: number) => {
  const inner = (level: number): string =>
    level === levels
      ? TEXT
      : part(
          `multipart/mixed; boundary="n${level}"`,
          `--n${level}\r\n${inner(level + 1)}\r\n--n${level}--`,
        );
  const [head = '', ...rest] = inner(0).split('\r\n\r\n');
  return mail({ 'Content-Type': head.slice('Content-Type: '.length) }, rest.join('\r\n\r\n'));
};

test.each([
  ['plain text', mail(), []],
  ['text and HTML', multipart('alternative', [TEXT, HTML]), []],
  [
    'no closing boundary',
    mail({ 'Content-Type': 'multipart/mixed; boundary=b' }, `--b\r\n${TEXT}`),
    ['fail no_closing_boundary'],
  ],
  [
    'a boundary that never comes',
    mail({ 'Content-Type': 'multipart/mixed; boundary=b' }, 'Hello'),
    ['fail no_closing_boundary', 'fail empty_body'],
  ],
  [
    'another boundary between the parts',
    mail({ 'Content-Type': 'multipart/mixed; boundary=b' }, `--c\r\n${TEXT}\r\n--c--`),
    ['fail boundary_mismatch'],
  ],
  [
    'the boundary in other capitals, and its hyphens in Content-Type',
    mail({ 'Content-Type': 'multipart/mixed; boundary="--B"' }, `--b\r\n${TEXT}\r\n--b--`),
    ['fail boundary_mismatch'],
  ],
  [
    'another boundary in a part',
    mail(
      { 'Content-Type': 'multipart/mixed; boundary=b' },
      `--b\r\nContent-Type: multipart/alternative; boundary=c\r\n\r\n--d\r\n${TEXT}\r\n--d--\r\n--b--`,
    ),
    ['fail boundary_mismatch'],
  ],
  [
    'a boundary that never comes, and a signature',
    mail({ 'Content-Type': 'multipart/mixed; boundary=b' }, 'Hello\r\n-- \r\nThe shop'),
    ['fail no_closing_boundary', 'fail empty_body'],
  ],
  ['a line of hyphens in a text', multipart('alternative', [`${TEXT}\r\n-----`, HTML]), []],
  [
    'no boundary parameter',
    mail({ 'Content-Type': 'multipart/mixed' }, 'Hello'),
    ['fail missing_boundary', 'fail empty_body'],
  ],
  [
    'no semicolon before charset',
    mail({ 'Content-Type': 'text/plain charset=utf-8' }),
    ['warn malformed_content_type'],
  ],
  [
    'an unknown encoding',
    mail({ 'Content-Type': 'text/plain', 'Content-Transfer-Encoding': 'x-magic' }),
    ['fail unknown_encoding'],
  ],
  [
    'an encoding with a comment',
    mail({ 'Content-Type': 'text/plain', 'Content-Transfer-Encoding': '7bit (really)' }),
    [],
  ],
  [
    'bad base64',
    mail({ 'Content-Transfer-Encoding': 'base64' }, 'SGVsbG8!'),
    ['fail undecodable_part'],
  ],
  ['an HTML page declared as text', mail({}, PAGE), ['fail html_as_text']],
  ['a part of one', mail({}, '<p>Hello <b>Ada</b></p>\r\n<br>'), ['warn html_in_text']],
  ['a line break of one', mail({}, 'Hello<br>'), ['warn html_in_text']],
  ['line breaks of one', mail({}, 'Hello,<br><br>it is ready.<br>Ada'), ['warn html_in_text']],
  ['a style sheet', mail({}, 'p, td { color: red; } Hello'), ['warn html_in_text']],
  ['a talk about tags', mail({}, 'Put a <br> after it.\r\n\r\nUse <p>.\r\nAda'), []],
  ['a patch of HTML', mail({}, '@@ -1 +1 @@\r\n-Hello<br>\r\n+Hi<br>'), []],
  [
    'special characters of one',
    multipart('alternative', [
      part('text/plain', 'Ada &amp; Bob'),
      part('text/html', '<p>Ada &amp; Bob</p>'),
    ]),
    ['warn html_in_text'],
  ],
  [
    'names of special characters that the HTML shows too',
    multipart('alternative', [
      part('text/plain', 'Write &amp; here'),
      part('text/html', '<p>Write &amp;amp; here</p>'),
    ]),
    [],
  ],
  [
    'an HTML page instead of the text',
    multipart('alternative', [part('text/plain', PAGE), HTML]),
    ['warn html_in_text'],
  ],
  ['a letter about HTML', mail({}, '<p>Hello</p>\r\n\r\nDoes this work? Ada'), []],
  ['an address in angle brackets', mail({}, 'Write to me.\r\n<ada@example.com>'), []],
  [
    'a text declared as binary',
    mail({ 'Content-Type': 'text/plain', 'Content-Transfer-Encoding': 'binary' }),
    ['info binary_encoding'],
  ],
  ['a space before a colon', mail({ 'X-Note ': 'a' }), ['warn space_before_colon']],
  ['good base64', mail({ 'Content-Transfer-Encoding': 'base64' }, 'R3LDvMOfZQ=='), []],
  [
    'base64 of ASCII',
    mail({ 'Content-Transfer-Encoding': 'base64' }, 'SGVsbG8='),
    ['info needless_base64'],
  ],
  ['base64 of UTF-16', mail({ ...UTF16, 'Content-Transfer-Encoding': 'base64' }, 'SABpAA=='), []],
  ['76 characters of base64', base64Mail(`${'ä'.repeat(28)}a`), []],
  ['80 characters of base64', base64Mail('ä'.repeat(30)), ['warn long_base64_lines']],
  ['text, then HTML', multipart('mixed', [TEXT, HTML]), ['warn text_beside_html']],
  ['text, then HTML, related', multipart('related', [TEXT, HTML]), ['warn text_beside_html']],
  ['text, then another text as HTML', multipart('mixed', [FOOTER, HTML]), []],
  ['HTML, then a footer', multipart('mixed', [HTML, FOOTER]), []],
  ['text, then a file', multipart('mixed', [TEXT, part('text/html; name=a.html', HTML)]), []],
  [
    'a file without disposition',
    multipart('mixed', [TEXT, part('application/octet-stream', 'x')]),
    ['warn missing_disposition'],
  ],
  [
    'encrypted mail',
    multipart('encrypted', [
      part('application/pgp-encrypted', 'Version: 1'),
      part('application/octet-stream', 'x'),
    ]),
    [],
  ],
  ['a line without a colon', mail({ 'X-Note': 'a\r\nnote' }), ['fail junk_header_line']],
  ['MIME-Version 2.0', mail({ 'MIME-Version': '2.0' }), ['warn odd_mime_version']],
  ['MIME-Version with a comment', mail({ 'MIME-Version': '1.0 (by hand)' }), []],
  [
    'bad quoted-printable',
    mail({ 'Content-Transfer-Encoding': 'quoted-printable' }, 'a="b"'),
    ['fail undecodable_part'],
  ],
  [
    'good quoted-printable',
    mail({ 'Content-Transfer-Encoding': 'quoted-printable' }, 'a=3D=\r\nb= \r\nc='),
    [],
  ],
  ['nothing in it', mail({}, ''), ['fail empty_body']],
  ['only a picture', multipart('mixed', [part('image/png', 'x', 'Content-ID: <a>')]), []],
  ['HTML before text', multipart('alternative', [HTML, TEXT]), ['warn html_before_plain']],
  [
    'HTML with its pictures before text',
    multipart('alternative', [
      part('multipart/related; boundary=i', `--i\r\n${HTML}\r\n--i--`),
      TEXT,
    ]),
    ['warn html_before_plain'],
  ],
  [
    'no MIME-Version',
    mail({ 'MIME-Version': null, 'Content-Type': 'text/plain' }),
    ['warn missing_mime_version'],
  ],
  ['no MIME at all', mail({ 'MIME-Version': null }), []],
  ['10 levels', nested(10), []],
  ['11 levels', nested(11), ['warn nested_deep']],
])('%s', (_, bytes, faults) => {
  expect(faultsOf(bytes)).toEqual(faults);
});

test('nothing is opened beyond 20 levels', () => {
  expect(read(nested(20)).content.mime).toMatchObject({ depth: 20, defects: [] });
  const deep = read(nested(64)).content.mime;
  expect(deep.depth).toBe(20);
  expect(deep.defects).toContain('too_deep');
});

test.each([
  [499, []],
  [500, ['too_many_parts']],
])('%i parts in a multipart', (n, defects) => {
  const { mime } = read(multipart('mixed', Array(n).fill(TEXT))).content;
  expect(mime.defects).toEqual(defects);
  expect(mime.parts).toHaveLength(499);
});

test('structure, parts and sizes are reported', () => {
  const png = part(
    'image/png; name=a.png',
    'iVBORw0KGgo=',
    'Content-Transfer-Encoding: base64',
    'Content-Disposition: attachment',
  );
  const inner = `multipart/alternative; boundary=i`;
  const alternative = part(inner, `--i\r\n${TEXT}\r\n--i\r\n${HTML}\r\n--i--`);
  const { mime, content } = read(multipart('mixed', [alternative, png])).content;
  expect(mime.structure).toBe(
    'multipart/mixed(multipart/alternative(text/plain,text/html),image/png)',
  );
  expect(mime.parts).toEqual([
    { type: 'text/plain', charset: 'utf-8', encoding: null, size_bytes: 5, disposition: null },
    { type: 'text/html', charset: 'utf-8', encoding: null, size_bytes: 31, disposition: null },
    {
      type: 'image/png',
      charset: null,
      encoding: 'base64',
      size_bytes: 12,
      disposition: 'attachment',
    },
  ]);
  expect(mime.depth).toBe(2);
  expect(content).toMatchObject({ has_text: true, has_html: true, html_bytes: 31 });
});

test.each([['"a (b) c"'], ['"=_a/b:c?d"'], ['simple'], ['"it\'s"']])(
  'boundary=%s is found',
  (boundary) => {
    const bare = boundary.replaceAll('"', '');
    const bytes = mail(
      { 'Content-Type': `multipart/mixed; boundary=${boundary}` },
      `preamble\r\n--${bare}  \r\n${TEXT}\r\n--${bare}--\r\nepilogue`,
    );
    expect(read(bytes).content).toMatchObject({ structureFaults: [], content: { text_words: 1 } });
  },
);

test('a boundary that is the beginning of another one is not confused with it', () => {
  const inner = part('multipart/alternative; boundary=b1', `--b1\r\n${TEXT}\r\n--b1--`);
  expect(faultsOf(multipart('mixed', [inner], 'b'))).toEqual([]);
});

test('the outer delimiter closes open parts inside', () => {
  const open = part('multipart/alternative; boundary=i', `--i\r\n${TEXT}`);
  const { mime } = read(multipart('mixed', [open, TEXT])).content;
  expect(mime.defects).toEqual(['no_closing_boundary']);
  expect(mime.structure).toBe('multipart/mixed(multipart/alternative(text/plain),text/plain)');
});

test('a part may have no header at all, and a header no body', () => {
  expect(
    read(multipart('mixed', ['\r\nHello', 'Content-Type: text/plain'])).content.mime,
  ).toMatchObject({
    structure: 'multipart/mixed(text/plain,text/plain)',
    defects: [],
  });
});

test('bare LF line ends do not hide the structure', () => {
  const bytes = Buffer.from(
    multipart('alternative', [TEXT, HTML]).toString('latin1').replaceAll('\r\n', '\n'),
    'latin1',
  );
  expect(read(bytes).content.mime.structure).toBe('multipart/alternative(text/plain,text/html)');
});

test.each([
  ['text/plain; charset=utf-8', 'gr\xc3\xbcn', []],
  ['text/plain', 'green', []],
  ['text/plain', 'gr\xc3\xbcn', ['missing_charset']],
  ['text/plain; charset=us-ascii', 'gr\xfcn', ['invalid_bytes']],
  ['text/plain; charset=utf-8', 'gr\xfcn', ['invalid_bytes']],
  ['text/plain; charset=iso-8859-1', 'gr\xfcn', []],
  ['text/plain; charset=x-secret', 'green', ['unknown_charset']],
  ['text/plain; charset=utf-7', 'gr+APw-n', ['unknown_charset']],
  ['text/plain; charset=iso-2022-jp', '\x1b$B$3\x1b(B', []],
  ['text/plain; charset=iso-2022-jp', '\x1b$B$3\x1b(B\x1b$B$3\x1b(B', []],
  ['text/plain; charset=iso-2022-jp', '\x1b$B$3\x1b(B\x1bX', ['invalid_bytes']],
  ['text/plain; charset="utf-16le"', 'g\0r\0', ['wide_charset']],
  ['text/plain; charset=utf-16', '\xfe\xff\0g\0r', ['wide_charset']],
  ['text/plain; charset=utf-8', 'g\0r\0', ['invalid_bytes']],
  ['text/plain; charset=iso-8859-1', 'gr\xc3\xbcn', ['utf8_not_declared']],
  ['text/plain; charset=windows-1251', '\xd0\x9f\xd1\x80\xd0\xb8', ['utf8_not_declared']],
  ['text/plain; charset=windows-1252', 'gro\xdf\x85', []],
  ['text/plain; charset=koi8-r', '\xf0\xd2\xc9\xd7\xc5\xd4', []],
  ['text/plain; charset=gbk', '\xc1\xaa\xcd\xa8', []],
  ['text/plain; charset=utf-8', utf8('GrÃ¼ÃŸe, schÃ¶n'), ['encoded_twice']],
  ['text/plain; charset=utf-8', utf8('Itâ€™s youâ€™re weâ€™ll'), ['encoded_twice']],
  ['text/plain; charset=utf-8', utf8('NÃO, IRMÃ, AMANHÃ, Âge, Ängel'), []],
  ['text/plain; charset=utf-8', utf8('Gr\ufffdn'), ['lost_letters']],
  ['text/plain; charset=utf-8', utf8('> Gr\ufffdn\r\nGreen.'), []],
  ['text/plain; charset=utf-16', '\xfe\xff\0g\0', ['invalid_bytes']],
  ['text/plain; charset=cp936', '\xc4\xe3', []],
])('%s with %j has the charset faults %j', (type, body, faults) => {
  const { charsetFaults } = read(mail({ 'Content-Type': type }, body)).content;
  expect(charsetFaults.map(({ id }) => id)).toEqual(faults);
  for (const fault of charsetFaults) expect(fault.type).toBe('text/plain');
});

test.each([
  ['utf-16', '\xfe\xff\0o\0n\0e\0 \0t\0w\0o'],
  ['utf-16', '\0o\0n\0e\0 \0t\0w\0o'],
  ['utf-16', '\xff\xfeo\0n\0e\0 \0t\0w\0o\0'],
  ['utf-16', 'o\0n\0e\0 \0t\0w\0o\0'],
  ['utf-16be', '\0o\0n\0e\0 \0t\0w\0o'],
])('two words of charset=%s in %j', (charset, body) => {
  const encoded = base64(Buffer.from(body, 'latin1'));
  const type = `text/plain; charset=${charset}`;
  const fields = { 'Content-Type': type, 'Content-Transfer-Encoding': 'base64' };
  expect(read(mail(fields, encoded)).content.content.text_words).toBe(2);
});

test.each([
  ['utf-8', 'utf-8'],
  ['UTF-8', 'utf-8'],
  ['utf-7', 'utf-7'],
  ['my-secret-name', 'unknown'],
])('charset=%s is shown as %s', (charset, shown) => {
  const { parts } = read(mail({ 'Content-Type': `text/plain; charset=${charset}` })).content.mime;
  expect(parts[0]?.charset).toBe(shown);
});

test.each([
  [multipart('alternative', [TEXT, HTML]), 'both'],
  [mail(), 'text_only'],
  [htmlMail('<p>Hello</p>'), 'html_only'],
  [mail({ 'Content-Type': 'application/pdf' }, 'x'), 'none'],
  [multipart('mixed', [HTML, TEXT]), 'html_only'],
  [multipart('mixed', [TEXT, HTML]), 'both'],
])('%#: the alternatives are %s', (bytes, textAlternative) => {
  expect(read(bytes).content.textAlternative).toBe(textAlternative);
});

test('an embedded message is a leaf', () => {
  const embedded = part('message/rfc822', mail().toString('latin1'));
  expect(read(multipart('mixed', [TEXT, embedded])).content.mime.structure).toBe(
    'multipart/mixed(text/plain,message/rfc822)',
  );
});

test('text is decoded before it is counted', () => {
  const body = base64(Buffer.from('Grüße an alle zusammen'));
  const bytes = mail(
    { 'Content-Type': 'text/plain; charset=utf-8', 'Content-Transfer-Encoding': 'BASE64' },
    body,
  );
  expect(read(bytes).content.content.text_words).toBe(4);
});
