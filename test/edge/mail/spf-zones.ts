/** Lists hostile SPF records and trees of them, with the result that RFC 7208 gives each. */

import type { Zone, ZoneRecords } from '../../environment/dns-zone.ts';
import { SENDER } from '../../environment/sender.ts';
import { fill, times } from './build.ts';

const { domain, host, ip } = SENDER;

/**
 * Size of a long record in bytes. An answer has at most 64 KiB, and each 255 octets of a text need one more.
 */
export const BYTES = 60_000;

export const text = (record: string): ZoneRecords => ({ TXT: [record] });
export const long = (begin: string, terms: (n: number) => string) => {
  const texts = [begin];
  for (let n = 0, length = begin.length; length < BYTES; n += 1) {
    const one = terms(n);
    length += one.length;
    texts.push(one);
  }
  return texts.join('');
};

/** Returns a record with each character in a string of its own, which takes up two octets. */
export const inLetters = (record: string): ZoneRecords => ({
  TXT: [Array.from(record.slice(0, BYTES / 2))],
});

const spf = (record: string, others: Zone = {}): Zone => ({
  [domain]: { A: ['192.0.2.80'], MX: [`10 ${host}`], TXT: [record] },
  ...others,
});
const spfInLetters = (record: string): Zone => ({ [domain]: inLetters(record) });
const nested = (record: (n: number) => string): Zone =>
  spf(
    long('v=spf1 include:n0.example', (n) => ` ip4:203.0.113.${n % 256}`),
    Object.fromEntries(times(10, (n) => `n${n}`).map((_, n) => [`n${n}.example`, text(record(n))])),
  );

const tenBelow = (term: string): Zone => {
  const names = times(10, (n) => `n${n}.example`);
  return spf(
    `v=spf1 ${names.map((name) => `include:${name}`).join(' ')} -all`,
    Object.fromEntries(names.map((name) => [name, text(`v=spf1${fill(term, 2030)}`)])),
  );
};

type Zones = Readonly<Record<string, () => Zone>>;

const pass: Zones = {
  'SPF: terms with ptr': () => spf(`${long('v=spf1', () => ' ptr')} -all`),
  'SPF: ip4, the sender last': () =>
    spf(`${long('v=spf1', (n) => ` ip4:10.0.${(n >> 8) & 255}.${n & 255}`)} ip4:${ip} -all`),
  'SPF: ip4, in strings of a letter': () =>
    spfInLetters(long(`v=spf1 ip4:${ip}`, () => ' ip4:10.0.0.1')),
};

const fail: Zones = {
  'SPF: one term of macros': () => spf(`v=spf1 exists:${fill('%{ir}.', BYTES)}example -all`),
  'SPF: one term of percents': () => spf(`v=spf1 exists:${fill('%%', BYTES)}.example -all`),
  'SPF: one macro of digits': () => spf(`v=spf1 exists:%{i${'1'.repeat(BYTES)}}.example -all`),
  'SPF: one macro of delimiters': () => spf(`v=spf1 exists:%{d${fill('.-', BYTES)}}.example -all`),
  'SPF: one unknown modifier': () => spf(`v=spf1 x=${'x'.repeat(BYTES)} -all`),
  'SPF: one unknown modifier of macros': () => spf(`v=spf1 x=${fill('%{d}', BYTES)} -all`),
  'SPF: all, over and over': () => spf(long('v=spf1', () => ' -all')),
  'SPF: unknown modifiers': () => spf(`${long('v=spf1', () => ' x=')} -all`),
  'SPF: unknown modifiers with macros': () => spf(`${long('v=spf1', () => ' x=%{d2r.-}')} -all`),
  'SPF: ip4': () => spf(`${long('v=spf1', (n) => ` ip4:10.0.${(n >> 8) & 255}.${n & 255}`)} -all`),
  'SPF: ip6': () => spf(`${long('v=spf1', (n) => ` ip6:2001:db8::${n.toString(16)}`)} -all`),
  'SPF: spaces': () => spf(`v=spf1${' '.repeat(BYTES)}-all`),
  'SPF: one unknown modifier, in strings of a letter': () =>
    spfInLetters(`v=spf1 -all x=${'x'.repeat(BYTES)}`),
  'SPF: an explanation of 60 KB': () =>
    spf(`v=spf1 -all exp=why.example`, { 'why.example': text(fill('%{i} ', BYTES)) }),
  'SPF: ten include: of 60 KB': () =>
    spf(
      `v=spf1 ${times(10, (n) => `include:n${n}.example`).join(' ')} -all`,
      Object.fromEntries(
        times(10, (n) => `n${n}.example`).map((name) => [
          name,
          text(long('v=spf1', (k) => ` ip4:198.51.100.${k % 256}`)),
        ]),
      ),
    ),
  'SPF: ten include: just below what is shortened': () => tenBelow(' x='),
  'SPF: ten include: of macros just below that': () => tenBelow(' x=%{d1r.-}'),
  'SPF: ten include: of networks just below that': () => tenBelow(' ip4:10.0.0.1'),
  'SPF: 1,700 addresses of a host': () =>
    spf('v=spf1 a:many.example -all', {
      'many.example': { A: times(1700, (n) => `10.0.${n >> 8}.${n & 255}`) },
    }),
};

const permerror: Zones = {
  'SPF: one term': () => spf(`v=spf1 include:${'x'.repeat(BYTES)} -all`),
  'SPF: one term of many labels': () => spf(`v=spf1 include:${fill('x.', BYTES)}example -all`),
  'SPF: one term of slashes': () => spf(`v=spf1 a${'/'.repeat(BYTES)}1 -all`),
  'SPF: one term of digits': () => spf(`v=spf1 a/${'1'.repeat(BYTES)} -all`),
  'SPF: one macro that never closes': () => spf(`v=spf1 exists:${fill('%{', BYTES)} -all`),
  'SPF: terms of a letter': () => spf(`${long('v=spf1', () => ' a')} -all`),
  'SPF: one term, in strings of a letter': () =>
    spfInLetters(`v=spf1 include:${'x'.repeat(BYTES)}`),
  'SPF: terms of a letter, in strings of a letter': () => spfInLetters(long('v=spf1', () => ' a')),
  'SPF: ip4 without spaces, in strings of their own': () => ({
    [domain]: { TXT: [['v=spf1 ', ...times(BYTES / 12, () => 'ip4:10.0.0.1')]] },
  }),
  'SPF: unknown terms': () => spf(`${long('v=spf1', (n) => ` ${n}`)} -all`),
  'SPF: macros': () => spf(`${long('v=spf1', (n) => ` exists:%{ir}.%{v}.${n}.example`)} -all`),
  'SPF: macros of the reverse name': () =>
    spf(`${long('v=spf1', (n) => ` exists:%{p}.${n}.example`)} -all`),
  'SPF: redirect= over and over': () => spf(long('v=spf1', () => ' redirect=a.example')),
  'SPF: 60 include:, each of 60 KB': () =>
    spf(
      `v=spf1 ${times(60, (n) => `include:n${n}.example`).join(' ')} -all`,
      Object.fromEntries(
        times(60, (n) => `n${n}.example`).map((name) => [
          name,
          text(long('v=spf1', (k) => ` ip4:198.51.100.${k % 256}`)),
        ]),
      ),
    ),
  'SPF: no ASCII': () => spf(`v=spf1 ${'ü'.repeat(BYTES / 2)} -all`),
  'SPF: quotes': () => spf(`v=spf1 ${'"'.repeat(BYTES)} -all`),
  'SPF: dots at the end': () => spf(`v=spf1 include:a.example${'.'.repeat(BYTES)} -all`),
  'SPF: 1,000 include:': () =>
    spf(
      `${['v=spf1', ...times(1000, (n) => `include:spf${n}.a-longer-name-of-some-provider.example`)].join(' ')} -all`,
    ),
  'SPF: 3,000 include: of one record': () =>
    spf(
      long('v=spf1', () => ' include:n.example'),
      { 'n.example': text(long('v=spf1', () => ' a')) },
    ),
  'SPF: include: in include:, each of 60 KB': () =>
    nested((n) => long(`v=spf1 include:n${n + 1}.example`, (k) => ` ip4:198.51.100.${k % 256}`)),
  'SPF: every record includes all ten, of 60 KB': () => {
    const record = long(
      `v=spf1 ${times(10, (n) => `include:n${n}.example`).join(' ')}`,
      (k) => ` ip4:198.51.100.${k % 256}`,
    );
    return spf(
      record,
      Object.fromEntries(times(10, (n) => `n${n}.example`).map((name) => [name, text(record)])),
    );
  },
  'SPF: a loop of 60 KB': () => spf(long(`v=spf1 include:${domain}`, () => ' a')),
  'SPF: void terms': () =>
    spf(`${long('v=spf1', (n) => ` a:${n}.nothing.example`)} -all`, { 'nothing.example': {} }),
  'SPF: a chain of redirect=, each of 60 KB': () =>
    nested(
      (n) => `${long('v=spf1', (k) => ` ip4:198.51.100.${k % 256}`)} redirect=n${n + 1}.example`,
    ),
  'SPF: 200 records of one name': () =>
    spf('', { [domain]: { TXT: times(200, (n) => `v=spf1 ${fill(`a:${n}.example `, 250)}-all`) } }),
};

/**
 * SPF records of 60 KB, and trees of them, with the result that RFC 7208 gives each. Most break a limit or
 * the grammar.
 */
export const spfZones = Object.fromEntries(
  Object.entries({ pass, fail, permerror } as const).flatMap(([spf, zones]) =>
    Object.entries(zones).map(([name, zone]) => [
      name,
      { spf: spf as 'pass' | 'fail' | 'permerror', zone },
    ]),
  ),
);
