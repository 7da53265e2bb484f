import type { ParseArgsOptionsConfig } from 'node:util';
import { usageError } from './exit.ts';
import { GATES } from './findings.ts';
import { type OptionValues, textOf, toNumber } from './options.ts';
import type { Criteria } from './outcome.ts';

export const criteriaOptions = {
  'min-score': { type: 'string' },
  'fail-on': { type: 'string' },
  require: { type: 'string', multiple: true },
  format: { type: 'string', multiple: true },
  findings: { type: 'boolean' },
  soft: { type: 'boolean' },
} as const satisfies ParseArgsOptionsConfig;

/** Without any of these options every `fail` is below what is asked for. */
export function toCriteria(values: OptionValues): Criteria {
  const score = textOf(values, 'min-score');
  const failOn = textOf(values, 'fail-on');
  const required = [values.require ?? []]
    .flat()
    .flatMap((text) => String(text).split(','))
    .map((id) => id.trim())
    .filter(Boolean);
  const unknown = required.find((id) => !GATES.has(id));
  if (unknown !== undefined)
    throw usageError(
      `--require: no finding is called ${unknown}. /findings of the service lists all.`,
    );
  if (failOn !== undefined && !['fail', 'warn', 'never'].includes(failOn))
    throw usageError(`--fail-on must be fail, warn or never, not ${failOn}.`);
  const isFree = score === undefined && required.length === 0;
  const severity = failOn ?? (isFree ? 'fail' : 'never');
  return {
    minScore: score === undefined ? null : toNumber('min-score', score, 0, 100),
    failOn: severity === 'fail' || severity === 'warn' ? severity : null,
    required,
  };
}
