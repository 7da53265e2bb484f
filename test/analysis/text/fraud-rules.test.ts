/** Tests the rules that recognise the words of frauds in eight languages. */

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readPhrases } from '../../../src/analysis/text/phrases.ts';

interface Table {
  readonly sources: Readonly<Record<string, string>>;
  readonly kinds: Readonly<Record<string, { readonly reads: string; readonly source: string }>>;
  readonly rules: readonly {
    readonly kind: string;
    readonly language: string;
    readonly source: string;
    readonly all: readonly string[];
  }[];
}

const { sources, kinds, rules }: Table = JSON.parse(
  readFileSync('src/analysis/text/fraud-rules.json', 'utf8'),
);
const LANGUAGES = Object.keys(JSON.parse(readFileSync('src/analysis/text/languages.json', 'utf8')));

test.each(Object.keys(kinds))(
  '%s has one rule in each of eight languages, or one in all',
  (kind) => {
    const found = rules.filter((one) => one.kind === kind).map(({ language }) => language);
    expect(found.sort()).toEqual(found.includes('any') ? ['any'] : LANGUAGES.toSorted());
  },
);

test('each rule names its source, and is written without diacritics', () => {
  expect(rules.filter(({ source }) => sources[source] === undefined)).toEqual([]);
  const marked = /[\u00c0-\u024f]/;
  expect(rules.filter(({ all }) => all.some((one) => marked.test(one)))).toEqual([]);
});

describe('a text is read', () => {
  const THREAT = 'Votre compte a été bloqué. Vérifiez vos données sous 24 heures.';

  test.each([
    ['with its accents', THREAT],
    ['without them', 'Votre compte a ete bloque. Verifiez vos donnees sous 24 heures.'],
    ['in capitals', THREAT.toUpperCase()],
    ['beside another language', `${THREAT} The same in English is on our website, if you need it.`],
  ])('%s', (_, text) => {
    expect(readPhrases(text).wordingIds).toContain('account_threat');
  });

  test('only by the rules of its own language', () => {
    expect(
      readPhrases('Compte bloqué, the archive verifies it within 24 hours').wordingIds,
    ).toEqual([]);
  });

  test('without delay if it is one endless word', () => {
    const before = process.cpuUsage();
    readPhrases('verifi'.repeat(3300));
    readPhrases('votre compte '.repeat(1500));
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(2000);
  });
});
