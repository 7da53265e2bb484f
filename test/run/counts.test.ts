/** Tests how the results of a test run are counted, and which tests get a remark. */

import { expect, test } from 'vitest';
import { countVitest, remarks, summary } from './counts.mjs';

const file = (status: string, ...tests: string[]) => ({
  status,
  assertionResults: tests.map((one) => ({ status: one })),
});

test('tests are counted by how they ended', () => {
  const testResults = [
    file('passed', 'passed', 'skipped', 'todo'),
    file('failed', 'passed', 'failed', 'failed'),
  ];
  expect(countVitest({ testResults }, 1)).toEqual({ passed: 2, failed: 2, skipped: 2 });
});

test('a file that cannot be loaded is a failed test', () => {
  const testResults = [file('passed', 'passed'), file('failed')];
  expect(countVitest({ testResults }, 1)).toEqual({ passed: 1, failed: 1, skipped: 0 });
});

test('a file whose hook fails after its tests is a failed test', () => {
  const testResults = [file('failed', 'passed')];
  expect(countVitest({ testResults }, 1)).toEqual({ passed: 1, failed: 1, skipped: 0 });
});

test('an error outside of any test is a failed test', () => {
  const testResults = [file('passed', 'passed')];
  expect(countVitest({ testResults }, 1)).toEqual({ passed: 1, failed: 1, skipped: 0 });
});

test('a run without a report is a failed test', () => {
  expect(countVitest(undefined, 137)).toEqual({ passed: 0, failed: 1, skipped: 0 });
});

test('a skipped test is listed with its reason, and a slow one with its time', () => {
  const tests = [
    { status: 'passed', fullName: 'a', duration: 99_000 },
    { status: 'passed', fullName: 'b', duration: 101_000 },
    { status: 'skipped', fullName: 'c', meta: { skipped: 'docker is not installed' } },
  ];
  expect(remarks({ testResults: [{ status: 'passed', assertionResults: tests }] })).toEqual([
    'slow  b: 101 s of 300 s',
    'skip  c: docker is not installed',
  ]);
});

test('if tests are chosen by name, the others are not listed', () => {
  const tests = [
    { status: 'skipped', fullName: 'a' },
    { status: 'skipped', fullName: 'b', meta: { skipped: 'docker is not installed' } },
  ];
  const report = { testResults: [{ status: 'passed', assertionResults: tests }] };
  expect(remarks(report, true)).toEqual(['skip  b: docker is not installed']);
  expect(remarks(report)).toHaveLength(2);
});

test.each([
  [{ passed: 12, failed: 0, skipped: 0 }, '12 passed, 0 failed'],
  [{ passed: 3, failed: 1, skipped: 2 }, '3 passed, 1 failed, 2 skipped'],
])('%j reads %j', (counts, line) => {
  expect(summary(counts)).toBe(line);
});
