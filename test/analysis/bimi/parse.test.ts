/**
 * Tests the parsing and correction of BIMI records, the checks on logos, and which DMARC policy is
 * strong enough for BIMI.
 */

import { describe, expect, test } from 'vitest';
import { readLogo } from '../../../src/analysis/bimi/logo.ts';
import { correctBimi, isStrongEnough, readBimi } from '../../../src/analysis/bimi/parse.ts';
import { parseDmarc } from '../../../src/analysis/dmarc/parse.ts';
import { cpuTime } from '../../support/process/cpu-time.ts';

test.each<[string[], string]>([
  [[], 'absent'],
  [['x'], 'absent'],
  [['v=BIMI1; l=https://example.com/logo.svg'], 'usable'],
  [['v=BIMI1; l=https://example.com/logo.svg; a=https://example.com/c.pem'], 'usable'],
  [['v=BIMI1; l=; a=;'], 'declined'],
  [['v=BIMI1; l=;'], 'declined'],
  [['v=BIMI1;'], 'broken'],
  [['v=BIMI1; l=http://example.com/logo.svg'], 'broken'],
  [['v=BIMI1; l=https://example.com/logo.svg; a=self'], 'broken'],
  [['v=BIMI1; l=; a=https://example.com/c.pem'], 'broken'],
  [['v=BIMI1; l=', 'v=BIMI1; l='], 'broken'],
  [['v=BIMI2; l=https://example.com/logo.svg'], 'broken'],
  [['"v=BIMI1; l=https://example.com/logo.svg"'], 'broken'],
  [['v:BIMI1; l:https://example.com/logo.svg'], 'broken'],
])('%j is %s', (texts, state) => {
  expect(readBimi(texts).state).toBe(state);
});

const LOGO = 'https://example.com/logo.svg';
const CERTIFICATE = 'https://example.com/c.pem';

test.each([
  `"v=BIMI1; l=${LOGO}; a=${CERTIFICATE}"`,
  `v=BIMI1, l=${LOGO}, a=${CERTIFICATE}`,
  `v:BIMI1 l:${LOGO} a:${CERTIFICATE}`,
  `v=BIMI1；l=http://example.com/logo.svg；a=${CERTIFICATE}`,
])('both files are kept: %s', (text) => {
  expect(correctBimi(text)).toBe(`v=BIMI1; l=${LOGO}; a=${CERTIFICATE}`);
});

test.each([
  ['p=reject', true],
  ['p=quarantine', true],
  ['p=quarantine; pct=100', true],
  ['p=quarantine; pct=50', false],
  ['p=quarantine; pct= 50', false],
  // A value that limits nothing, as receivers read it.
  ['p=quarantine; pct=', true],
  ['p=quarantine; pct=all', true],
  ['p=reject; pct=50', true],
  ['p=none', false],
  ['p=reject; sp=none', false],
  ['p=reject; sp=quarantine', true],
  ['p=reject; t=y', false],
])('DMARC with %s is strong enough: %s', (tags, strong) => {
  expect(isStrongEnough(parseDmarc(`v=DMARC1; ${tags}`))).toBe(strong);
});

describe('logos', () => {
  const logo = (root = '', inner = '') =>
    `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" version="1.2" baseProfile="tiny-ps" viewBox="0 0 64 64"${root}><title>Shop</title><g>${inner}<path d="M0 0h64v64z"/></g></svg>`;

  test('a correct one', () => {
    expect(readLogo(logo())).toEqual({
      baseProfile: 'tiny-ps',
      version: '1.2',
      square: true,
      titlePresent: true,
      errors: [],
      badElement: null,
    });
  });

  test.each<[string, string, string | null]>([
    ['a script', logo('', '<script>x</script>'), '<script>'],
    ['an animation', logo('', '<animate attributeName="x"/>'), '<animate>'],
    ['a picture', logo('', '<image xlink:href="#a"/>'), '<image>'],
    ['a handler', logo('', '<g onclick="x"/>'), 'onclick='],
    [
      'a reference to elsewhere',
      logo('', '<use xlink:href="https://x.example/a"/>'),
      'an external reference in xlink:href=',
    ],
    [
      'a style from elsewhere',
      logo('', '<g fill="url(https://x.example/a)"/>'),
      'an external reference in fill=',
    ],
    ['x= on the root', logo(' x="0"'), 'x= on the root'],
    ['a DOCTYPE', `<!DOCTYPE svg [<!ENTITY a "b">]>${logo()}`, '<!DOCTYPE>'],
    ['no title', logo().replace('<title>Shop</title>', ''), null],
    ['an empty title', logo().replace('Shop', ' '), null],
    ['another version', logo().replace('"1.2"', '"1.1"'), null],
    ['another profile', logo().replace('tiny-ps', 'tiny'), null],
    ['no SVG', '<html></html>', null],
    ['nothing', '', null],
  ])('%s is not SVG Tiny PS', (_, text, bad) => {
    const reading = readLogo(text);
    expect(reading.errors).not.toEqual([]);
    expect(reading.badElement).toBe(bad);
  });

  test('references within the logo are allowed, and comments are not read', () => {
    const inner = '<!-- <script> --><use xlink:href="#a"/><g fill="url(#b)" stroke="url( #c )"/>';
    expect(readLogo(logo('', inner)).errors).toEqual([]);
  });

  test.each([
    ['viewBox="0 0 64 32"', false],
    ['viewBox="0,0,10,10"', true],
    ['width="10" height="12"', false],
    ['', null],
  ])('%s is square: %s', (attribute, square) => {
    expect(readLogo(logo().replace('viewBox="0 0 64 64"', attribute)).square).toBe(square);
  });

  test('hostile text of 32 KB is read without delay', () => {
    for (const text of ['<!--', '<a ', '<a "', "<a='", '<svg a="', '<![CDATA[']) {
      const { ms } = cpuTime(() => readLogo(text.repeat(32_768 / text.length)));
      expect(ms, text).toBeLessThan(1000);
    }
  });

  test.each([
    ['the name of an attribute', `<svg ${'a'.repeat(500_000)}>`],
    ['the name of an element that never ends', `<svg><${'a'.repeat(500_000)}'>`],
    ['white space in url()', `<svg fill="url(${' '.repeat(500_000)}x"/>`],
  ])('%s is read once, however long it is', (_, text) => {
    const { ms } = cpuTime(() => readLogo(text));
    expect(ms).toBeLessThan(1000);
  });
});

test('a record of any length is corrected without delay', () => {
  const { ms } = cpuTime(() => correctBimi(`v=BIMI1; l=${' '.repeat(60_000)}x`));
  expect(ms).toBeLessThan(1000);
});
