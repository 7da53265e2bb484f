/**
 * Tests that fraudulent emails get no A, except those that no receiver could recognize, which get a
 * suggestion; and that honest emails are not accused.
 */

import { describe, expect, test } from 'vitest';
import { costsOf, readWritten, reportOn } from '../mail/score-mail.ts';
import { frauds, unknowable } from './frauds.ts';
import { honest } from './honest.ts';

describe('a fraud that passes authentication', () => {
  test.each(frauds)('$about gets no A, because of $by', (fraud) => {
    const report = reportOn(fraud);
    const { headers, content } = readWritten(fraud);
    const cause = [
      ...headers.impersonation.map(({ id }) => id),
      ...content.phrasePatterns,
      ...report.findings.filter(({ points = 0 }) => points > 0).map(({ id }) => id),
    ];
    expect(cause, costsOf(report)).toContain(fraud.by);
    expect(report.grade, costsOf(report)).not.toBe('A');
  });

  test.each(unknowable)('is a suggestion if $why', (fraud) => {
    const report = reportOn(fraud);
    expect(report.grade, costsOf(report)).toBe('A');
    const suggestion = report.suggestions.find(({ id }) => id === 'spam_phrases');
    expect(suggestion?.fix).toMatch(
      /wording that filters look for in fraud: .*Such wording costs nothing on its own/,
    );
  });
});

describe('an honest email', () => {
  test.each(honest)('$about is accused of nothing', (mail) => {
    const report = reportOn(mail);
    const accused = report.findings.filter(
      ({ id, points = 0 }) =>
        points > 0 && ['impersonation', 'spam_phrases', 'from_domain_lookalike'].includes(id),
    );
    expect(accused, costsOf(report)).toEqual([]);
    expect(report.grade, costsOf(report)).toBe('A');
  });
});
