import { expect, test } from 'vitest';
import { makeReport } from '../../src/analysis/report.ts';
import { sampleReport } from '../../src/analysis/sample.ts';
import { SAMPLE_ID } from '../../src/domain/ids.ts';
import { sampleFacts } from '../support/mail/sample-facts.ts';

/** `npx vitest run -c test/vitest.config.ts test/analysis/sample.test.ts -u` approves a change. */
test('the sample is what the analysis says of the sample mail', async () => {
  const made = makeReport(sampleFacts, '2026-11-20T12:00:02.000Z');
  await expect(`${JSON.stringify(made, null, 2)}\n`).toMatchFileSnapshot(
    '../../src/analysis/sample-report.json',
  );
});

test('the sample has something to fix, and its own id', () => {
  expect(sampleReport).toMatchObject({ test_id: SAMPLE_ID, score: 87, grade: 'B' });
  expect(sampleReport.top_fixes).toHaveLength(3);
  expect(sampleReport.suggestions.length).toBeGreaterThan(0);
});
