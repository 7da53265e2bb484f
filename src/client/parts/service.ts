import { runCheck } from '../commands/check.ts';
import { runDelete } from '../commands/delete.ts';
import { runDiff } from '../commands/diff.ts';
import { runNew } from '../commands/new.ts';
import { runReport } from '../commands/report.ts';
import { runWait } from '../commands/wait.ts';

/** What talks to a service, and needs none of the analysis. */
export const serviceCommands = {
  check: runCheck,
  new: runNew,
  wait: runWait,
  report: runReport,
  delete: runDelete,
  diff: runDiff,
};
