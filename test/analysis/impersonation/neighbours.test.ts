/** Tests that honest letters that use the words of frauds cost no points. */

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { costsOf, reportOn } from '../mail/score-mail.ts';

interface Rule {
  readonly kind: string;
  readonly language: string;
}

const { rules }: { readonly rules: readonly Rule[] } = JSON.parse(
  readFileSync('src/analysis/text/fraud-rules.json', 'utf8'),
);

/**
 * Honest letters in the words of frauds: a heading with a language and the kinds that they resemble, then one
 * letter per line.
 */
const sections = readFileSync('test/analysis/impersonation/neighbours.txt', 'utf8')
  .split(/^# /m)
  .filter(Boolean)
  .map((section) => section.trim().split('\n'))
  .map(([heading = '', ...letters]) => {
    const [language = '', ...kinds] = heading.split(' ');
    return { heading, language, kinds, letters };
  });

const SENDERS: Readonly<Record<string, string>> = {
  en: 'Lamp Shop North <info@lampshop-north.com>',
  de: 'Lampenladen Nord <info@lampenladen-nord.de>',
  fr: 'Les Lampes du Nord <info@lampes-du-nord.fr>',
  es: 'Lámparas del Norte <info@lamparas-norte.es>',
  it: 'Lampade del Nord <info@lampade-nord.it>',
  nl: 'Lampenwinkel Noord <info@lampenwinkel-noord.nl>',
  pl: 'Lampy Północ <info@lampy-polnoc.pl>',
  pt: 'Candeeiros do Norte <info@candeeiros-norte.pt>',
  tr: 'Kuzey Lamba <info@kuzeylamba.com.tr>',
  ru: 'Лампы Севера <info@lampy-severa.ru>',
  ja: '北のランプ店 <info@kita-lamp.jp>',
  zh: '北方灯具 <info@beifang-lamp.cn>',
  ko: '북쪽 조명가게 <info@bukjok-lamp.kr>',
  ar: 'مصابيح الشمال <info@masabeeh-shamal.com>',
  cs: 'Lampy Sever <info@lampy-sever.cz>',
  sv: 'Lampor i Norr <info@lampor-norr.se>',
  any: 'Lamp Shop North <info@lampshop-north.com>',
};

const ACCUSING = ['impersonation', 'spam_phrases', 'from_domain_lookalike'];

/** Number of honest letters that each rule must spare. */
const LETTERS = 10;

describe('each rule has honest neighbours in its language', () => {
  test.each(rules)('$kind in $language', ({ kind, language }) => {
    const letters = sections
      .filter((one) => one.language === language && one.kinds.includes(kind))
      .flatMap((one) => one.letters);
    expect(new Set(letters).size).toBeGreaterThanOrEqual(LETTERS);
  });

  test('and none of them is about a rule that does not exist', () => {
    const known = rules.map(({ kind, language }) => `${language} ${kind}`);
    const named = sections.flatMap(({ language, kinds }) =>
      kinds.map((kind) => `${language} ${kind}`),
    );
    expect(named.filter((one) => !known.includes(one))).toEqual([]);
  });
});

describe('an honest letter costs no points for its words', () => {
  test.each(sections)('$heading', ({ language, letters }) => {
    const from = SENDERS[language] ?? '';
    const site = `https://www.${/@([^>]+)/.exec(from)?.[1]}/account`;
    for (const letter of letters) {
      const report = reportOn({ from, subject: letter.slice(0, 40), body: `${letter} ${site}` });
      const accused = report.findings.filter(
        ({ id, points = 0 }) => points > 0 && ACCUSING.includes(id),
      );
      expect(accused, `${letter}: ${costsOf(report)}`).toEqual([]);
    }
  });
});
