import { checks } from '../../../src/analysis/checks.ts';

/** Lists every state that asks the reader to do something, as `check_id state`. */
export const statesWithFix: readonly string[] = checks.flatMap(({ id, states }) =>
  states.flatMap(({ name, severity, suggest }) =>
    severity === 'fail' || severity === 'warn' || suggest ? [`${id} ${name}`] : [],
  ),
);
