import { runCheck } from '../commands/check.ts';
import { runDiff } from '../commands/diff.ts';
import { runDelete, runNew, runReport, runWait } from '../commands/tests.ts';

/** What talks to a service, and needs none of the analysis. */
export const serviceCommands = {
  check: runCheck,
  new: runNew,
  wait: runWait,
  report: runReport,
  delete: runDelete,
  diff: runDiff,
};
