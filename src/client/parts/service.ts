import { runCheck } from '../commands/check.ts';
import { runDiff } from '../commands/diff.ts';
import { runDelete, runNew, runReport, runWait } from '../commands/tests.ts';

/** Commands that use the service and do not need the analysis. */
export const serviceCommands = {
  check: runCheck,
  new: runNew,
  wait: runWait,
  report: runReport,
  delete: runDelete,
  diff: runDiff,
};
