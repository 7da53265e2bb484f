/** Tests how scores, grades and ranges are put into words. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampleReport } from '../../src/analysis/sample.ts';
import { texts } from '../../src/api/pages/texts.ts';
import { translator } from '../../src/api/pages/view/html.mjs';
import { scoreRing } from '../../src/api/pages/view/score.mjs';
import { toGithub } from '../../src/client/formats/github.ts';
import { toMarkdown } from '../../src/client/formats/markdown.ts';
import { toView } from '../../src/client/formats/view.ts';
import { judgeReport, type RunOutcome } from '../../src/client/outcome.ts';
import type { Report } from '../../src/domain/report/report.ts';
import { GRADES, gradeOf, scoreText } from '../../src/domain/report/score-text.mjs';
import { summarize } from '../../src/mcp/summary.ts';

const scored = (score: number, lowest?: number): Report => ({
  ...sampleReport,
  score,
  grade: gradeOf(score),
  score_breakdown: {
    families: [],
    sum: score,
    cap: null,
    ...(lowest !== undefined && {
      unknown: { lowest_score: lowest, findings: [], not_counted: [] },
    }),
  },
});

test.each([
  [87, undefined, '87', 'B', false],
  [87, 87, '87', 'B', false],
  [66, 0, '0 to 66', 'F to C', true],
  [89, 75, '75 to 89', 'B', true],
  [100, 99, '99 to 100', 'A', true],
  [0, 0, '0', 'F', false],
  // A report of an older release, whose lowest score is above its score, shows its score.
  [40, 60, '40', 'D', false],
] as const)('%i, at its lowest %s: %s', (score, lowest, range, grade, isOpen) => {
  expect(scoreText(scored(score, lowest))).toMatchObject({ score: range, grade, isOpen });
});

test('the grades of a range are those of its ends', () => {
  const points = fc.integer({ min: 0, max: 100 });
  fc.assert(
    fc.property(points, points, (score, lowest) => {
      const { grade, sentence } = scoreText(scored(score, lowest));
      const [worst, best = worst] = grade.split(' to ');
      expect([worst, best]).toEqual([gradeOf(Math.min(score, lowest)), gradeOf(score)]);
      expect(sentence).toContain(`of 100, grade ${grade}`);
    }),
  );
});

test.each(Object.entries(GRADES))('grade %s begins at %i', (grade, lowest) => {
  expect(gradeOf(lowest)).toBe(grade);
  expect(gradeOf(lowest - 1) === grade).toBe(lowest === 0);
});

test('every format shows the same range for one report', () => {
  const report = scored(66, 0);
  const outcome: RunOutcome = {
    report,
    failures: judgeReport(report, { minScore: 90, failOn: null, required: [] }),
    fault: null,
    file: 'email.eml',
    places: new Map(),
    remarks: [],
  };
  const view = { columns: 100, colors: false, all: false };
  const context = { t: translator(texts), href: (path: string) => path };
  const said = {
    view: toView([outcome], view),
    'view of many': toView([outcome, outcome], { ...view, many: true }),
    annotations: toGithub([outcome]),
    Markdown: toMarkdown([outcome]),
    'the MCP summary': summarize(report),
    'the failure': outcome.failures[0]?.message ?? '',
    'the page': scoreRing(context, report).markup,
  };
  for (const [name, text] of Object.entries(said)) {
    expect(text, name).toContain('0 to 66');
    // The best end of a range is never shown on its own.
    expect(text.replaceAll('0 to 66', ''), name).not.toMatch(
      /(score|is) 66\b|\b66 of 100|\b66 [A-F]\b/i,
    );
  }
});
