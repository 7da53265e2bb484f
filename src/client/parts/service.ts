import { runCheck } from '../commands/check.ts';
import { runDiff } from '../commands/diff.ts';
import { runDelete, runNew, runReport, runWait } from '../commands/tests.ts';

/**
 * Collects the commands that run tests at the service or compare reports. They do not need the analysis, so
 * they are bundled and loaded together.
 */
export const serviceCommands = {
  check: runCheck,
  new: runNew,
  wait: runWait,
  report: runReport,
  delete: runDelete,
  diff: runDiff,
};
