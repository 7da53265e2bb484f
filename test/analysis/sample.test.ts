/** Tests the sample report that the service shows for free. */

import { expect, test } from 'vitest';
import { sampleReport } from '../../src/analysis/sample.ts';
import { SAMPLE_ID } from '../../src/domain/ids.ts';

test('the sample has something to fix, and its own id', () => {
  expect(sampleReport).toMatchObject({ test_id: SAMPLE_ID, score: 89, grade: 'B' });
  expect(sampleReport.top_fixes).toHaveLength(3);
  expect(sampleReport.suggestions.length).toBeGreaterThan(0);
});
