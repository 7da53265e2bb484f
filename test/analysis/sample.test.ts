import { expect, test } from 'vitest';
import { sampleReport } from '../../src/analysis/sample.ts';
import { SAMPLE_ID } from '../../src/domain/ids.ts';
import { sampleText } from '../support/mail/sample-facts.ts';

/** `npm run generate` writes it again. */
test('the sample is what the analysis says of the sample mail', async () => {
  await expect(sampleText()).toMatchFileSnapshot('../../src/analysis/sample-report.json');
});

test('the sample has something to fix, and its own id', () => {
  expect(sampleReport).toMatchObject({ test_id: SAMPLE_ID, score: 89, grade: 'B' });
  expect(sampleReport.top_fixes).toHaveLength(3);
  expect(sampleReport.suggestions.length).toBeGreaterThan(0);
});
