/**
 * Tests what is read from the words of an email: placeholders, spam phrases and patterns, and the
 * number of words.
 */

import { expect, test } from 'vitest';
import { htmlMail, mail, multipart, part, read, utf8 } from '../mail/mails.ts';

const placeholdersOf = (bytes: Buffer) => {
  const { placeholders, placeholder_syntaxes } = read(bytes).content.content;
  return [placeholders, placeholder_syntaxes];
};

test.each([
  ['Hello {{first_name}}', 1, ['{{ }}']],
  ['Hello {{ user.name | upper }} and {{#if x}}', 2, ['{{ }}']],
  ['Hello %%FNAME%%', 1, ['%% %%']],
  ['Hello *|FNAME|*', 1, ['*| |*']],
  ['Hello [[name]]', 1, ['[[ ]]']],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is the syntax to find, not a mistake
  ['Hello ${name}', 1, ['${ }']],
  ['Hello {{ .Subscriber.FirstName }}, {{- $name -}}', 2, ['{{ }}']],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of every shell is no field
  ['cd ${HOME}/bin, ${DIR:-/srv}, ${FILE%.txt}', 0, []],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a default of FreeMarker belongs to a field
  ['Hello ${name!"friend"}', 1, ['${ }']],
  ['{{a}} {{a}} {{b}}', 2, ['{{ }}']],
  ['{{a}} *|B|*', 2, ['{{ }}', '*| |*']],
  ['100%% sure %% 5', 0, []],
  ['{{}} [[1]] a[[0]]', 0, []],
  ['{% if user %}Hello{%- endif %}', 2, ['{% %}']],
  ['Hello <%= user.name %>', 1, ['<% %>']],
  ['Hello %FIRST_NAME%, %NAME%', 2, ['%NAME%']],
  ['Open %APPDATA%\\Tool, then %TEMP% and %WINDIR%', 0, []],
  ['Hello %USERNAME%', 1, ['%NAME%']],
  ['Hello %recipient.first_name%', 1, ['%name%']],
  ['5%bis_10%, %added% and https://a.example/%c3%bc_x%20', 0, []],
  ['Up to 50% OFF, 20%OF%', 0, []],
  ['https://www.example.com/%E9TE%20/%C3%89T%C3%89', 0, []],
  ['{{ 1 + 1 }}', 0, []],
  ['code { { x } }', 0, []],
  ['{{never closed', 0, []],
  [`{{${'a'.repeat(81)}}}`, 0, []],
  ['{{two\r\nlines}}', 0, []],
])('%j has %i placeholders: %j', (text, n, syntaxes) => {
  expect(placeholdersOf(mail({}, text))).toEqual([n, syntaxes]);
});

test('placeholders are found in the subject and in links', () => {
  expect(placeholdersOf(mail({ Subject: 'Hi {{name}}' }))).toEqual([1, ['{{ }}']]);
  expect(placeholdersOf(htmlMail('<a href="https://a.example/{{id}}">x</a>'))).toEqual([
    1,
    ['{{ }}'],
  ]);
  expect(placeholdersOf(htmlMail('<a href="https://a.example/%7B%7Bid%7D%7D">x</a>'))).toEqual([
    1,
    ['{{ }}'],
  ]);
  expect(placeholdersOf(htmlMail('<style>a{{b}}</style><p>x</p>'))).toEqual([0, []]);
});

test.each([
  ['a patch', 'Use {{name}}.\r\n\r\n@@ -1,2 +1,2 @@\r\n-a\r\n+{{name}}'],
  ['code between fences', 'Use {{name}}:\r\n```\r\n{{name}}\r\n```'],
  ['another email', '> Hello {{name}},\r\n\r\nI got this: {{name}}'],
])('a field that the email quotes from %s was not left unfilled', (_, text) => {
  expect(placeholdersOf(mail({ Subject: 'About {{name}}' }, text))).toEqual([0, []]);
  expect(placeholdersOf(mail({}, `Hello {{first}}\r\n${text}`))).toEqual([1, ['{{ }}']]);
});

test.each([
  ['Hallo {Vorname},\r\n\r\nIhr Termin', ['{ }']],
  ['Dear [First Name],\r\n\r\nyour order', ['[ ]']],
  ['Hello {{first_name}},', ['{{ }}']],
  ['Dear ##FIRSTNAME##,\r\n\r\nyour order', ['## ##']],
  ['Hello <First Name>,\r\n\r\nyour order', ['< >']],
  ['Hello @nora,\r\n\r\nsee #12', []],
  ['Hello undefined,\r\n\r\nyour order', ['undefined']],
  ['Sehr geehrte/r [Name],\r\n\r\nIhr Termin', ['[ ]']],
  ['Hi Ada,\r\n\r\nuse {name}, [name] or undefined, please', []],
  ['Error in [Module]:\r\nundefined', []],
  ['Die Summe ist null, weil nichts fehlt.', []],
])('%j has a field instead of the name in its greeting: %j', (text, syntaxes) => {
  expect(placeholdersOf(mail({}, text))[1]).toEqual(syntaxes);
});

test.each([
  ['code within a line', 'Write `{{name}}` in {{name}}'],
  [
    'Python',
    'Traceback (most recent call last):\r\n  File "a.py", line 3, in b\r\nerror: {{name}}',
  ],
  ['Java', 'Error: {{name}}\r\n  at com.example.Mail.send(Mail.java:12)'],
])('a field in an error or in code was not left unfilled: %s', (_, text) => {
  expect(placeholdersOf(mail({ Subject: 'About {{name}}' }, text))).toEqual([0, []]);
});

test('a field in preformatted HTML was not left unfilled, but one beside it was', () => {
  const code = '<p>Use {{name}}</p><pre>image: <b>{{name}}</b></pre>';
  expect(placeholdersOf(htmlMail(code))).toEqual([0, []]);
  expect(placeholdersOf(htmlMail(`${code}<p>{{first}}</p>`))).toEqual([1, ['{{ }}']]);
});

test('a field that both text and HTML contain counts once', () => {
  const both = multipart('alternative', [
    part('text/plain', 'Hi {{name}}'),
    part('text/html', '<html><body>Hi {{name}}</body></html>'),
  ]);
  expect(placeholdersOf(both)).toEqual([1, ['{{ }}']]);
});

test.each([
  ['Your order has been sent.', [], []],
  ['Act now!', ['act_now'], []],
  ['ACT\r\nNOW: risk-free, and no obligation.', ['act_now', 'risk_free', 'no_obligation'], []],
  ['You must react nowhere', [], []],
  ['You have won the lottery', [], []],
  ['You have won the lottery. Call our agent, and keep this confidential.', [], ['lottery']],
  [
    'Your e-mail address won EUR 850,000.00 in the Mega Millions. Keep it confidential.',
    [],
    ['lottery'],
  ],
  ['A customer died and left USD 18.5 million. 40% is for you.', [], ['advance_fee']],
  ['I hacked your device. Send 1,200 USD in bitcoin within 48 hours.', [], ['extortion']],
  ['Do you need a loan? Without credit check. Send your name.', [], ['loan']],
  [
    'You have been selected for a gift. Confirm shipping $1',
    ['winner', 'unclaimed_reward'],
    ['prize_fee'],
  ],
  ['Stock alert: huge news on Monday', [], ['stock']],
  ['Buy V1agra without prescription', ['pharmacy'], ['drugs']],
  ['Rolex and Omega replica watches', ['replica_goods'], ['replica']],
  ['Your prescription of Ozempic is ready; see our pharmacist.', [], []],
  ['You have won 3.20 in the Euro Millions. Sign in to claim your prize.', [], []],
  ['Name a beneficiary for your pension of 1.2 million. This mail is confidential.', [], []],
  ['Criminals write that they recorded you and want bitcoin within 48 hours. Delete it.', [], []],
  ['Loans from 3.9 % for our members. Apply in the app; a credit check applies.', [], []],
  ['Congratulations on your order. Free shipping on your gift from 50.', [], []],
  ['The lottery opens on Monday', [], []],
  ['Your inheritance comes by Western Union', [], ['wire']],
  ['Pay in bitcoin and double your money', ['double_your'], ['crypto']],
  ['We accept bitcoin', [], []],
])('%j has the phrases %j and patterns %j', (text, phrases, patterns) => {
  const { content, phrasePatterns } = read(mail({}, text)).content;
  expect([content.phrase_ids, phrasePatterns]).toEqual([phrases, patterns]);
});

test('invisible hyphens and decomposed marks make no difference', () => {
  const both = multipart('alternative', [
    part('text/plain; charset=utf-8', utf8('Die Bu\u0308cher sind unterwegs')),
    part('text/html; charset=utf-8', utf8('<p>Die B\u00fc\u00adcher sind unter\u00adwegs</p>')),
  ]);
  expect(read(both).content.content.text_html_similarity).toBe(1);
});

test.each([
  [200_000, []],
  [200_001, ['words_truncated']],
])('%i words', (n, defects) => {
  const { content, mime } = read(mail({}, 'ab '.repeat(n))).content;
  expect(content.text_words).toBe(200_000);
  expect(mime.defects).toEqual(defects);
});

test('2 MiB of HTML are read, and its full size is reported', () => {
  const { content, mime } = read(
    htmlMail(`<!--${'x'.repeat(2 * 1024 * 1024)}--><p>late</p>`),
  ).content;
  expect(mime.defects).toEqual(['html_truncated']);
  expect(content.html_words).toBe(0);
  expect(content.html_bytes).toBeGreaterThan(2 * 1024 * 1024);
});

test.each([
  [100_000, 2, []],
  [100_001, 2, ['html_truncated']],
  [100_004, 1, ['html_truncated']],
  [200_000, 0, ['html_truncated']],
])('%i tags, the last of them around two words', (tags, words, defects) => {
  // Eight tags belong to the document, four to its paragraphs.
  const { content, mime } = read(
    htmlMail(`${'<br>'.repeat(tags - 12)}<p>one</p><p>two</p>`),
  ).content;
  expect(content.html_words).toBe(words);
  expect(mime.defects).toEqual(defects);
});

test('the limits on HTML apply to all parts together', () => {
  const html = (text: string) => part('text/html; charset=utf-8', utf8(text));
  const { content, mime } = read(
    multipart('mixed', [html('<br>'.repeat(60_000)), html(`here${'<br>'.repeat(60_000)}late`)]),
  ).content;
  expect(content.html_words).toBe(1);
  expect(mime.defects).toEqual(['html_truncated']);
});

test.each([
  ['tags', `<table>${'<tr><td>1</td></tr>'.repeat(30_000)}</table>`],
  ['text', `<p>${'word '.repeat(500_000)}</p>`],
  ['a tag', `<p>word</p><a href="${'x'.repeat(2 * 1024 * 1024)}">link</a>`],
])('elements that are open where the reading ends count as closed: %s', (_, body) => {
  const { mime, htmlFaults } = read(htmlMail(body)).content;
  expect(mime.defects).toContain('html_truncated');
  expect(htmlFaults.fail).toEqual([]);
});

test.each([
  ['Two words', 2],
  ['北京', 2],
  ['ไทย', 3],
  ['ខ្មែរ', 5],
  ['ລາວ', 3],
  ['Grüße, γειά σου', 3],
  ['Ab\u00admel\u00addung', 1],
  ['שלום עולם', 2],
  ['می\u200cخواهم', 1],
  ['수신 거부', 2],
])('%s has %i words', (text, n) => {
  const words = read(
    mail({ 'Content-Type': 'text/plain; charset=utf-8' }, Buffer.from(text).toString('latin1')),
  );
  expect(words.content.content.text_words).toBe(n);
});
