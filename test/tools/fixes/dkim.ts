import type { Action } from '../../../src/domain/report/action.ts';
import type { Finding } from '../../../src/domain/report/report.ts';
import { applyActions } from '../../analysis/whole/apply-actions.ts';
import type { Analysis, WholeEnvironment } from '../../analysis/whole/environment.ts';
import { today } from './apply.ts';
import type { DkimSetup } from './dkim-setups.ts';

/** Rounds of doing what is said and looking again. */
const ROUNDS = 3;

const isOk = ({ report }: Analysis): boolean =>
  report.authentication.dkim.some(({ result, aligned }) => result === 'pass' && aligned);

/** What speaks of the signature and its key. */
const stepsOf = ({ report }: Analysis): readonly Action[] =>
  report.findings
    .filter(({ area, severity }) => area === 'dkim' && (severity === 'fail' || severity === 'warn'))
    .concat(report.findings.filter(({ id }) => id === 'dmarc_alignment'))
    .flatMap(({ actions = [] }) => today(actions));

/** Changes of names outside the sender's organization. */
export const strangers = (steps: readonly Action[]): readonly string[] =>
  steps.flatMap(({ kind, operation, type, name }) =>
    kind === 'dns' && operation !== 'do' && type !== 'PTR' && !`.${name}`.endsWith('.example.com')
      ? [`${name} is not the sender's`]
      : [],
  );

/** What is wrong with the fixes of one set-up, done by their data alone; empty: nothing. */
export async function judgeDkim(
  { situation }: DkimSetup,
  environment: WholeEnvironment,
): Promise<readonly string[]> {
  const faults: string[] = [];
  let now: DkimSetup['situation'] = situation;
  let seen = await environment.analyze(now);
  for (let round = 0; round < ROUNDS; round += 1) {
    const steps = stepsOf(seen);
    if (steps.length === 0) break;
    faults.push(...strangers(steps));
    now = applyActions(now, steps);
    seen = await environment.analyze(now);
  }
  const bad = seen.report.findings.filter(
    ({ id, severity }) => id.startsWith('dkim_') && (severity === 'fail' || severity === 'warn'),
  );
  const { dkim } = seen.report.authentication;
  const isAsked = ({ actions = [] }: Finding) => actions.every(({ kind }) => kind === 'ask');
  if (!isOk(seen) && !bad.every(isAsked))
    faults.push(
      `no aligned signature passes: ${dkim.map(({ domain, reason }) => `${domain} ${reason}`)}`,
    );
  for (const { id, fix } of bad.filter((one) => !isAsked(one)))
    faults.push(`${id} is left: ${fix}`);
  return [...new Set(faults)];
}
