/**
 * Tests the walk through the HTML body: its words, hidden text, images, active content, faults of
 * markup, and similarity to the text part.
 */

import { expect, test } from 'vitest';
import { MAX_HTML_DEPTH } from '../../../src/analysis/limits.ts';
import { htmlMail, mail, multipart, part, read } from '../mail/mails.ts';

const contentOf = (body: string, head?: string) => read(htmlMail(body, head)).content;

test.each([
  ['<p>Hello there</p>', 2],
  ['<p>Hello</p><p>there</p>', 2],
  ['<b>Hel</b>lo', 1],
  ['a<br>b', 2],
  ['<style>p { color: red }</style>one', 1],
  ['<script>let two = 2</script>one', 1],
  ['<!-- two three -->one', 1],
  ['<p style="display:none">two three</p>one', 1],
  ['caf&eacute;', 1],
  ['https://example.com/a/b/c one', 1],
  ['漢字', 2],
])('%s has %i words', (body, words) => {
  expect(contentOf(body).content.html_words).toBe(words);
});

test('an element deeper than the limit counts for nothing, but its text still counts', () => {
  const within = (levels: number) =>
    contentOf(`${'<div>'.repeat(levels)}<p style="display:none">one</p>two`).content.html_words;
  expect(within(10)).toBe(1);
  expect(within(MAX_HTML_DEPTH)).toBe(2);
});

const SEEN = '<p>Seen first</p>';

test.each([
  ['display:none', 1],
  ['DISPLAY : NONE !important', 1],
  ['visibility:hidden', 1],
  ['font-size:0', 1],
  ['font-size:1px', 1],
  ['font-size:1em', 0],
  ['font-size:2px', 0],
  ['opacity:0', 1],
  ['opacity:0.5', 0],
  ['text-indent:-9999px', 1],
  ['position:absolute;clip:rect(0, 0, 0, 0)', 1],
  ['clip-path:inset(50%)', 1],
  ['transform:scale(0)', 1],
  ['transform:scale(.95)', 0],
  ['margin-left:-10px', 0],
  ['max-height:0;overflow:hidden', 1],
  ['max-height:0', 0],
  ['color:#ffffff', 1],
  ['color:#fff', 1],
  ['color:white;background:#000', 0],
  ['color:#fff;background:url(a.png)', 0],
  ['color:#fefefe', 1],
  ['color:#eeeeee', 0],
  ['color:transparent', 1],
  ['color:rgba(0, 0, 0, 0)', 1],
  ['font:0/0 arial', 1],
  ['font:italic 700 14px/20px arial', 0],
  ['position:absolute;top:-9999px', 1],
  ['color:rgb(255, 255, 255)', 1],
])('style="%s" hides %i run', (style, runs) => {
  const { content } = contentOf(`${SEEN}<p style="${style}">some words</p>`);
  expect(content.hidden_runs).toBe(runs);
});

test.each([
  ['<p hidden>words</p>', 1],
  ['<p style="display:none"> &nbsp;&zwnj; </p>', 0],
  ['<div style="display:none">one <p style="display:none">two</p></div>', 1],
  ['<p style="display:none">one</p><p style="display:none">two</p>', 2],
  ['<p style="display:none">one<p>two', 1],
  ['<table bgcolor="#000000"><tr><td style="color:black">words</td></tr></table>', 1],
  ['<table bgcolor="#000000"><tr><td><font color="white">words</font></td></tr></table>', 0],
  ['<font color="#ffffff">words</font>', 1],
  ['<p style="font-size:0"><b style="font-size:14px">words</b></p>', 0],
  ['<p style="font-size:0"><b style="font-size:1em">words</b></p>', 1],
  ['<p style="visibility:hidden"><b style="visibility:visible">words</b></p>', 0],
  ['<p style="text-indent:-999px"><b style="text-indent:0">words</b></p>', 0],
  ['<p style="display:none"><b style="display:block">words</b></p>', 1],
  ['<p style="color:#fff"><b style="color:#000">words</b></p>', 0],
  ['<p style="color:#fff;background:#000"><b style="background:#fff">words</b></p>', 1],
  ['<p style="font-size:0">one <b style="font-size:9px">seen</b> two</p>', 1],
])('%s hides %i runs', (body, runs) => {
  expect(contentOf(SEEN + body).content.hidden_runs).toBe(runs);
});

test.each([
  ['<div style="display:none">Preview</div><p>Hello</p>', true, true, 0],
  ['<div style="display:none">Preview</div><div style="display:none">more</div>', true, true, 1],
  ['<p>Hello</p><div style="display:none">Late</div>', false, false, 1],
  ['<span class="preheader">Preview</span><p>Hello</p>', true, false, 0],
  ['<p>Hello</p>', false, false, 0],
])('%s: preheader %s, hidden %s, and %i hidden runs', (body, preheader, hiddenPreheader, runs) => {
  const expected = { preheader, hiddenPreheader, content: { hidden_runs: runs } };
  expect(contentOf(body)).toMatchObject(expected);
});

test.each([
  ['<img src="https://a.example/p.gif" width="1" height="1">', 1, 0],
  ['<img src="https://a.example/p.gif" style="width:1px;height:1px">', 1, 0],
  ['<img src="https://a.example/p.gif" style="display:none">', 1, 0],
  ['<img src="//a.example/p.gif" width=0>', 1, 0],
  ['<div style="font-size:0"><img src="https://a.example/a.png" alt="A"></div>', 0, 0],
  ['<div style="display:none"><img src="https://a.example/a.png" alt="A"></div>', 1, 0],
  ['<img src="https://a.example/s.gif" width="1" height="20">', 0, 1],
  ['<img src="https://a.example/s.gif" width="1" height="20" alt="">', 0, 0],
  ['<img src="cid:x" width="1" height="1">', 0, 1],
  ['<img src="https://a.example/a.png">', 0, 1],
  ['<img src="https://a.example/a.png" alt="A">', 0, 0],
])('%s: %i pixels, %i without alt', (body, tracking_pixels, images_without_alt) => {
  const { content, contentImages } = contentOf(body);
  expect(content).toMatchObject({ images: 1, tracking_pixels, images_without_alt });
  expect(contentImages).toBe(1 - tracking_pixels);
});

test.each([
  ['width="200"', 1],
  ['width="201"', 0],
  ['height="60"', 1],
  ['height="61"', 0],
  ['width="200" height="100"', 1],
  ['width="201" height="100"', 0],
  ['width="600" height="1"', 1],
  ['width="100%"', 0],
  ['style="width:32px;height:auto"', 1],
  ['', 0],
])('a picture with %s counts as %i logos', (size, logos) => {
  const { logoImages } = contentOf(`<img src="https://a.example/a.png" alt="A" ${size}>`);
  expect(logoImages).toBe(logos);
});

test('a picture that is hidden at this screen width is not a tracking pixel', () => {
  const body =
    '<div style="display:none"><img src="https://a.example/a.png" alt="A" width="320"></div>';
  expect(contentOf(body).content).toMatchObject({ images: 1, tracking_pixels: 0 });
});

test('data: pictures are counted', () => {
  expect(contentOf('<img src="data:image/png;base64,AA==">').content.data_uri_images).toBe(1);
});

test.each([
  ['cid:a@b', 0],
  ['CID:a%40b', 0],
  ['cid:other', 1],
])('<img src="%s"> misses %i parts', (src, missing) => {
  const html = part('text/html', `<html><body><img src="${src}"></body></html>`);
  const picture = part('image/png', 'x', 'Content-ID: <a@b>');
  const { cidMissing, attachments } = read(multipart('related', [html, picture])).content;
  expect([cidMissing, attachments.length]).toEqual([missing, 0]);
});

test.each([
  ['<script>x</script>', ['script'], []],
  ['<script type="application/ld+json">{}</script>', [], []],
  ['<form action="https://a.example"><input></form>', ['form'], []],
  ['<iframe src="https://a.example"></iframe>', ['iframe'], []],
  ['<object data="x"></object>', ['object'], []],
  ['<embed src="x">', ['embed'], []],
  ['<meta http-equiv="Refresh" content="0">', ['meta http-equiv=refresh'], []],
  ['<a href="javascript:void(0)">x</a>', ['a href=javascript:'], []],
  ['<a href=" java\nscript:x">x</a>', ['a href=javascript:'], []],
  ['<p onclick="x()">x</p>', [], ['on*']],
  ['<base href="https://a.example">', [], ['base']],
  ['<style>@import url(a.css)</style>', [], ['@import']],
  ['<!-- <script>x</script> -->', [], []],
  ['<p data-on="x" once="y">x</p>', [], ['on*']],
])('%s is active: %j, %j', (body, hard, soft) => {
  expect(contentOf(body).active).toEqual({ hard, soft });
});

test.each([
  ['<p>fine</p>', []],
  ['<p>one<p>two<ul><li>a<li>b</ul>', []],
  ['<b><i>crosswise</b></i>', []],
  ['<div>open', ['unclosed']],
  ['<table><tr><td><div>x</td></tr></table>', ['unclosed']],
  ['<p>cut <a href="', ['unclosed']],
  ['<p>cut <!-- ', ['unclosed']],
  ['<foo>x</foo>', ['unknown_tags']],
  ['<o:p></o:p><p>x</p>', []],
])('%s has the faults %j', (body, faults) => {
  expect(contentOf(body).htmlFaults.fail).toEqual(faults);
});

test('a fragment lacks html and body, title and lang', () => {
  const { htmlFaults } = read(mail({ 'Content-Type': 'text/html' }, '<p>Hello</p>')).content;
  expect(htmlFaults).toEqual({ fail: ['no_html', 'no_body'], lint: ['no_lang', 'no_title'] });
});

test('a fragment beside a text, as webmail writes it, could only be improved', () => {
  const { htmlFaults } = read(
    multipart('alternative', [part('text/plain', 'Hello'), part('text/html', '<p>Hello</p>')]),
  ).content;
  expect(htmlFaults).toEqual({ fail: [], lint: ['no_html', 'no_body', 'no_lang', 'no_title'] });
});

test.each([
  [
    '<link rel="stylesheet" href="https://a.example/a.css"><title>t</title>',
    '',
    ['external_stylesheet'],
  ],
  ['<title> </title>', '', ['no_title']],
  ['<title>t</title>', '<p style="color:#ddd">pale</p>', ['low_contrast']],
  ['<title>t</title>', '<p style="color:#777">grey</p>', []],
])('%s %s has the lint %j', (head, body, lint) => {
  expect(contentOf(`${body}<p>x</p>`, head).htmlFaults.lint).toEqual(lint);
});

test('a head that is never closed does not hide the text', () => {
  const bytes = mail({ 'Content-Type': 'text/html' }, '<html><head><title>t</title><p>one two');
  expect(read(bytes).content.content.html_words).toBe(2);
});

const both = (text: string, html: string) =>
  read(
    multipart('alternative', [
      part('text/plain', text),
      part('text/html', `<html><body><p>${html}</p></body></html>`),
    ]),
  ).content;

const words = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => `word${from + i}`).join(' ');

test.each([
  [words(0, 10), words(0, 10), 'ok', 1],
  [words(0, 3), words(0, 10), 'ok', 0.3],
  [words(0, 29), words(0, 100), 'too_short', 0.29],
  [words(50, 60), words(0, 10), 'too_short', 0],
  ['', words(0, 10), 'empty', 0],
  ['Your client does not support HTML.', words(0, 20), 'boilerplate', 0],
  [`View this email in your browser ${words(0, 20)}`, words(0, 20), 'ok', 1],
])('%#: the text part is %s', (text, html, state, shared) => {
  const { textState, content } = both(text, html);
  expect([textState, content.text_html_similarity]).toEqual(
    expect.arrayContaining([textState, shared]),
  );
  expect(textState).toBe(state);
});

test('if one of the two parts is missing, there is no similarity', () => {
  expect(contentOf('<p>x</p>').content.text_html_similarity).toBeNull();
});

test('several HTML parts are read as one', () => {
  const one = part('text/html', '<html><body><a href="https://a.example/">one</a></body></html>');
  const two = part('text/html', '<html><body><a href="https://b.example/">two</a></body></html>');
  const { content, links } = read(multipart('mixed', [one, two]));
  expect(content.content).toMatchObject({ html_words: 2, links: 2 });
  expect(links.report.domains.map(({ host }) => host)).toEqual(['a.example', 'b.example']);
});
