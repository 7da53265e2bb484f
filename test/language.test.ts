/** Counts habits of writing that make English hard to read, so that there are never more of them. */

import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (...patterns: string[]) => {
  const exclude = ['**/language.test.ts', '**/*.snap', 'docs/api/**', 'docs/machines/**'];
  return globSync(patterns, { exclude }).map((path) => ({
    path,
    text: readFileSync(path, 'utf8'),
  }));
};

const areas = {
  source: read('{src,machines}/**/*.{ts,mjs,css}', 'src/**/{strings,texts}.json'),
  docs: read('*.md', 'docs/**/*.md'),
  tests: read('test/**/*.{ts,mjs}'),
};

type Area = keyof typeof areas;

/** The beginning of a comment, up to its first word. */
const COMMENT = String.raw`(?:/\*\*|^\s*\*|//)\s+`;

/**
 * Patterns that make English hard to read, each with how often it still appears. A number may only be
 * lowered: write new sentences without them (docs/CONTRIBUTING.md), and correct those you touch.
 */
const patterns: readonly (readonly [name: string, pattern: RegExp, most: Record<Area, number>])[] =
  [
    [
      'a comment that begins with What, Of, Whether, Whose or Who',
      new RegExp(`${COMMENT}(?:What|Of|Whether|Whose|Who)\\b(?![^\\n]*\\?)`, 'gm'),
      { source: 0, docs: 0, tests: 0 },
    ],
    [
      '"who" without a noun before it',
      /(?:[.:;(,] |\b(?:of|to|by|for|from|with|that|than|and|or|as|is|are|beside|at|but) )who\b(?! (?:is|are|was) (?:who|it)\b)/g,
      { source: 12, docs: 2, tests: 9 },
    ],
    [
      'a mail, mails',
      /\b(?:an?|one|each|every|this|that|no|another|any|whole|first|second|next|last|large|small|honest|made-up|\d+) mail\b(?! (?:servers?|systems?|programs?|clients?|hosts?|providers?|exchangers?|boxe?s?|path|routes?|flow|port|commands?|merge|buffer|workers?|room|software|service|relay|gateways?|filters?|fields?|transaction|data|is sent|address|domain|thread|user agent))|\bmails\b(?!\/|\.(?:slow|ts)\b)/gi,
      { source: 70, docs: 4, tests: 161 },
    ],
    [
      'verbs in -ise that are spelled with -ize here',
      /\b(?:recogni|authori|summari|organi|reorgani)s(?:e[sd]?|ing|ations?)\b/gi,
      { source: 1, docs: 0, tests: 1 },
    ],
    ['in place of', /\bin place of\b/gi, { source: 0, docs: 0, tests: 0 }],
    [
      'by itself, by themselves',
      /\bby (?:itself|themselves|himself)\b/gi,
      { source: 0, docs: 0, tests: 0 },
    ],
    [
      'a line a stream (per)',
      /\b(?:an?|one|two|three|\d+) \w+ an? (?:stream|mail|email|message|line|file|folder|test|check|signal|row|network|record|address|second|minute|hour|day|connection|sentence|page|protocol|reader|thing|fault|part|month|report|payment|block)\b/gi,
      { source: 2, docs: 4, tests: 13 },
    ],
    [
      'of ours, of yours as an adjective',
      /\b(?:fault|clock|copy|server|table|rule|code|text|check|test|replica)s? of (?:ours|yours|its own|theirs)\b/gi,
      { source: 3, docs: 2, tests: 4 },
    ],
  ];

/** Returns where the pattern appears, each as `file:line: words`. */
const placesOf = (files: ReturnType<typeof read>, pattern: RegExp): readonly string[] =>
  files.flatMap(({ path, text }) =>
    [...text.matchAll(pattern)].map(({ 0: words, index }) => {
      const line = text.slice(0, index).split('\n').length;
      return `${path}:${line}: ${words.trim()}`;
    }),
  );

test.each(patterns)('%s appears no more often than before', (_name, pattern, most) => {
  for (const [area, files] of Object.entries(areas)) {
    const places = placesOf(files, pattern);
    expect(places.length, `${area}:\n${places.join('\n')}\n`).toBeLessThanOrEqual(
      most[area as Area],
    );
  }
});
