/**
 * Tests that frauds in seven languages, and under names in further languages and scripts, get no A.
 */

import { describe, expect, test } from 'vitest';
import { costsOf, reportOn } from '../mail/score-mail.ts';
import { frauds, scripts } from './languages.ts';

describe('a name that contradicts its sender', () => {
  test.each([...frauds, ...scripts])('$from', (fraud) => {
    const report = reportOn(fraud);
    expect(report.grade, costsOf(report)).not.toBe('A');
  });
});
