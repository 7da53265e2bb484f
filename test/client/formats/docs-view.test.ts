/** Tests that the sample output in docs/command.md is what the command prints. */

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { toView } from '../../../src/client/formats/view.ts';
import { judgeReport } from '../../../src/client/outcome.ts';
import type { Report } from '../../../src/domain/report/report.ts';
import fixture from '../../fixtures/command/screen-report.json' with { type: 'json' };

const sample = fixture as unknown as Report;

/**
 * A fixed sample report, so that only a change of the view changes the page. It has a single fix, so that it
 * is short.
 */
const report = { ...sample, top_fixes: sample.top_fixes.slice(0, 1) };

/** The result in a pipeline that requires more. */
const outcome = {
  report,
  failures: judgeReport(report, { minScore: 90, failOn: null, required: [] }),
  fault: null,
  file: null,
  remarks: [],
  places: new Map(),
};

test('the view in docs/command.md is what the command prints', () => {
  const page = readFileSync('docs/command.md', 'utf8');
  const [, shown] = /<!-- view -->\n```text\n([\s\S]*?)\n```/.exec(page) ?? [];
  expect(shown).toBe(toView([outcome], { columns: 80, colors: false, all: false }).trimEnd());
});
