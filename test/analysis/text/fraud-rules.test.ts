/** Tests the rules that recognize the words of frauds in sixteen languages. */

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

/** The languages in which each kind of fraud has a rule, and those in which only the frequent kinds have one. */
const FIRST = ['de', 'en', 'es', 'fr', 'it', 'nl', 'pl', 'pt'];
const ALL = [...FIRST, 'ar', 'cs', 'ja', 'ko', 'ru', 'sv', 'tr', 'zh'];

test.each(Object.keys(kinds))(
  '%s has one rule in each of eight or sixteen languages, or one in all',
  (kind) => {
    const found = rules.filter((one) => one.kind === kind).map(({ language }) => language);
    const isFrequent = found.some((language) => language !== 'any' && !FIRST.includes(language));
    const wanted = found.includes('any') ? ['any'] : isFrequent ? ALL : FIRST;
    expect(found.sort()).toEqual(wanted.toSorted());
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

  test.each([
    ['Hesabınız askıya alındı. Bugün bilgilerinizi doğrulayın ve şifrenizi yenileyin.', 'tr'],
    ['HESABINIZ ASKIYA ALINDI. LÜTFEN BUGÜN BİLGİLERİNİZİ DOĞRULAYIN.', 'tr in capitals'],
    ['Доступ ограничен. Подтвердите пароль сегодня.', 'ru'],
    ['口座の利用を制限しました。本日中にログインして確認してください。', 'ja'],
    ['您的账户已被冻结,请立即验证。', 'zh'],
    ['계정이 정지되었습니다. 오늘 비밀번호를 확인해 주세요.', 'ko'],
    ['تم تعليق حسابك. يرجى تأكيد بياناتك اليوم.', 'ar'],
    ['Váš účet byl zablokován. Prosím ověřte ho ještě dnes.', 'cs'],
    ['Ditt konto har spärrats. Bekräfta dina uppgifter omedelbart.', 'sv'],
  ])('%s (%s)', (text) => {
    expect(readPhrases(text).wordingIds).toEqual(['account_threat']);
  });

  test.each(['حساب'.repeat(5000), '口座'.repeat(9000), 'заблокирован'.repeat(1600)])(
    'without delay if it has no spaces',
    (text) => {
      const before = process.cpuUsage();
      readPhrases(text);
      const { user, system } = process.cpuUsage(before);
      expect((user + system) / 1000).toBeLessThan(1000);
    },
  );

  test('without delay if it is one endless word', () => {
    const before = process.cpuUsage();
    readPhrases('verifi'.repeat(3300));
    readPhrases('votre compte '.repeat(1500));
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(2000);
  });
});
