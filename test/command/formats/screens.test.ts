import { expect, test } from 'vitest';
import { toView } from '../../../src/command/formats/view.ts';
import { judgeReport } from '../../../src/command/outcome.ts';
import type { Report } from '../../../src/domain/report/report.ts';
import fixture from '../../fixtures/command/screen-report.json' with { type: 'json' };
import { toSvg } from '../../support/command/to-svg.ts';

/** A sample of its day, so that only a change of the view changes the screens. */
const report = fixture as unknown as Report;

/** In a pipeline that asks for more. */
const outcome = {
  report,
  failures: judgeReport(report, { minScore: 90, failOn: null, required: [] }),
  fault: null,
  file: null,
  remarks: [],
};

const view = (columns: number, colors: boolean) => toView(outcome, { columns, colors, all: false });

const DMARC = ['dmarc_alignment', 'dmarc_record'];

/** The same where DNS did not answer for DMARC. */
const open = {
  ...report,
  score: 95,
  grade: 'A' as const,
  top_fixes: report.top_fixes.filter(({ id }) => !id.startsWith('dmarc')),
  findings: report.findings
    .filter(({ id }) => !id.startsWith('dmarc') || DMARC.includes(id))
    .map((one) =>
      DMARC.includes(one.id) ? { ...one, severity: 'info' as const, checked: false } : one,
    ),
  score_breakdown: {
    families: [],
    sum: 95,
    cap: null,
    unknown: { lowest_score: 36, findings: DMARC, not_counted: [] },
  },
};
const openOutcome = {
  ...outcome,
  report: open,
  failures: judgeReport(open, { minScore: 90, failOn: null, required: [] }),
};

const screen = (columns: number) => `## ${columns} columns

![In colours, ${columns} columns wide](screens/view-${columns}.svg)

\`\`\`text
${view(columns, false).trimEnd()}
\`\`\`
`;

const page = `# The terminal view

What \`deliverability check\` and \`report\` print: of a sample, with \`--min-score 90\`. In colours on a terminal, without them in a
file, a pipe or with \`NO_COLOR\`. Lines end at 100 columns, since longer ones are hard to read; records are never broken.
The test of this page writes it: \`npm test -- test/command/formats/screens.test.ts -u\`.

${[80, 140].map(screen).join('\n')}
## What is not known

Where DNS did not answer, or the zone file of \`lint\` does not say, the view begins with what that hides, and the score is a range.

\`\`\`text
${toView(openOutcome, { columns: 80, colors: false, all: false }).trimEnd()}
\`\`\`
`;

test('the screens of the docs are what the command prints', async () => {
  await expect(page).toMatchFileSnapshot('../../../docs/terminal-view.md');
});

test.each([80, 140])('the picture of %i columns has the colours', async (columns) => {
  await expect(toSvg(view(columns, true), columns)).toMatchFileSnapshot(
    `../../../docs/screens/view-${columns}.svg`,
  );
});
