import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { costsOf, reportOn } from '../mail/score-mail.ts';

/** Honest letters in the words of frauds: a heading of language and kind, and a letter a line. */
const sections = readFileSync('test/analysis/impersonation/neighbours.txt', 'utf8')
  .split('# ')
  .filter(Boolean)
  .map((section) => section.trim().split('\n'))
  .map(([heading = '', ...letters]) => ({ heading, letters }));

const SENDERS: Readonly<Record<string, string>> = {
  en: 'Lamp Shop North <info@lampshop-north.com>',
  de: 'Lampenladen Nord <info@lampenladen-nord.de>',
  fr: 'Les Lampes du Nord <info@lampes-du-nord.fr>',
  es: 'Lámparas del Norte <info@lamparas-norte.es>',
  it: 'Lampade del Nord <info@lampade-nord.it>',
  nl: 'Lampenwinkel Noord <info@lampenwinkel-noord.nl>',
  pl: 'Lampy Północ <info@lampy-polnoc.pl>',
  pt: 'Candeeiros do Norte <info@candeeiros-norte.pt>',
};

const ACCUSING = ['impersonation', 'spam_phrases', 'from_domain_lookalike'];

describe('an honest letter costs nothing for its words', () => {
  test.each(sections)('$heading', ({ heading, letters }) => {
    const from = SENDERS[heading.slice(0, 2)] ?? '';
    const site = `https://www.${/@([^>]+)/.exec(from)?.[1]}/account`;
    expect(letters.length).toBeGreaterThanOrEqual(10);
    for (const letter of letters) {
      const report = reportOn({ from, subject: letter.slice(0, 40), body: `${letter} ${site}` });
      const accused = report.findings.filter(
        ({ id, points = 0 }) => points > 0 && ACCUSING.includes(id),
      );
      expect(accused, `${letter}: ${costsOf(report)}`).toEqual([]);
    }
  });
});
