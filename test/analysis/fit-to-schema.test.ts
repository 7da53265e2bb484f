/** Tests that a report is cut so that it matches its JSON schema. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFit } from '../../src/analysis/fit-to-schema.ts';
import sample from '../../src/analysis/sample-report.json' with { type: 'json' };
import { isReport, Report } from '../../src/domain/report/report.ts';

const fitReport = createFit(Report);

type Path = readonly (string | number)[];

/** Returns the paths of all values that a value contains, however deep. */
function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => {
    const here = [...path, Array.isArray(value) ? Number(key) : key];
    return [here, ...pathsOf(one, here)];
  });
}

const paths = pathsOf(sample);

/** Returns the sample with another value at one place; `undefined` leaves the member out. */
function changed(path: Path, value: unknown): Record<string, unknown> {
  const copy = structuredClone(sample) as unknown as Record<string, unknown>;
  const last = path.at(-1) ?? '';
  const holder = path
    .slice(0, -1)
    .reduce<Record<string, unknown>>((one, key) => one[key] as Record<string, unknown>, copy);
  if (value !== undefined) holder[last] = value;
  else if (Array.isArray(holder)) holder.splice(Number(last), 1);
  else delete holder[last];
  return copy;
}

const anything = fc.oneof(
  fc.constantFrom(undefined, null, true, '', 'A', 'pass', 'none', 0, 1, 101, -1, 0.5, Number.NaN),
  fc.constantFrom([], {}, ['pass'], { id: 'x' }, '2026-11-20T12:00:02.000Z', 'x'.repeat(5000)),
  fc.anything({ maxDepth: 2 }),
);

describe('fitting a value to the schema of the report', () => {
  test('returns a report that can be read, or says that this is impossible', () => {
    fc.assert(
      fc.property(fc.nat(paths.length - 1), anything, (at, value) => {
        const path = paths[at] ?? [];
        const report = changed(path, value);
        let fitted: Record<string, unknown>;
        try {
          fitted = fitReport(report).value;
        } catch (error) {
          expect(error).toBeInstanceOf(TypeError);
          expect(isReport(report)).toBe(false);
          return;
        }
        // A part may lack members of its own, because whoever assembles the parts checks for those.
        expect(isReport({ ...sample, ...fitted })).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  test('returns the same object if nothing has to be cut', () => {
    expect(fitReport(sample)).toEqual({ value: sample, cut: [] });
    expect(fitReport(sample).value).toBe(sample);
  });

  test.each<[string, object]>([
    ['a number that is none', { score: Number.NaN }],
    ['a number above its limit', { score: 101 }],
    ['a word that is not in the set', { grade: 'E' }],
    ['an instant in another form', { received_at: '2026-11-20 12:00' }],
    ['a text instead of a list', { top_fixes: 'none' }],
    ['an entry that lacks a member', { top_fixes: [{ id: 'spf_result', title: 'SPF' }] }],
    ['nothing where null is not allowed', { message: null }],
  ])('rejects %s', (_, part) => {
    expect(() => fitReport(part)).toThrow(/does not match its schema/);
  });

  test('an error names the place, and nothing of the value', () => {
    const secret = { authentication: { ...sample.authentication, spf: { result: 'token' } } };
    expect(() => fitReport(secret)).toThrow(/^authentication\.spf(\.\w+)? of the report/);
    expect(() => fitReport(secret)).not.toThrow(/token/);
  });
});
