/**
 * Declares the options for judging and printing a report, and parses those that state what it must reach,
 * such as a minimum score.
 */

import type { ParseArgsOptionsConfig } from 'node:util';
import { usageError } from './exit.ts';
import { GATES } from './findings.ts';
import { readWord, toNumber, type ValuesOf } from './options.ts';
import type { Criteria } from './outcome.ts';
import { meantFinding } from './unknown-word.ts';

export const criteriaOptions = {
  'min-score': { type: 'string' },
  'fail-on': { type: 'string' },
  require: { type: 'string', multiple: true },
  format: { type: 'string', multiple: true },
  findings: { type: 'boolean' },
  soft: { type: 'boolean' },
} as const satisfies ParseArgsOptionsConfig;

/** Parses the criteria options. Without any of them, a report fails if a finding has the severity `fail`. */
export function toCriteria(values: Partial<ValuesOf<typeof criteriaOptions>>): Criteria {
  const { 'min-score': score, 'fail-on': failOn, require: wanted = [] } = values;
  const required = wanted
    .flatMap((text) => text.split(','))
    .map((id) => id.trim())
    .filter(Boolean);
  const unknown = required.find((id) => !GATES.has(id));
  if (unknown !== undefined)
    throw usageError(`--require: there is no finding ${unknown}.${meantFinding(unknown)}`);
  const isFree = score === undefined && required.length === 0;
  const severities = ['fail', 'warn', 'never'] as const;
  const severity = readWord('fail-on', failOn ?? (isFree ? 'fail' : 'never'), severities);
  return {
    minScore: score === undefined ? null : toNumber('min-score', score, 0, 100),
    failOn: severity === 'never' ? null : severity,
    required,
  };
}
