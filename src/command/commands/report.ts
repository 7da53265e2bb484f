import type { CommandConsole } from '../console.ts';
import { criteriaOptions } from '../criteria-options.ts';
import { type ExitCode, usageError } from '../exit.ts';
import {
  paymentOptions,
  readArgs,
  serviceOptions,
  toPurse,
  toService,
  toTest,
} from '../options.ts';
import { readReport } from '../payment/read-report.ts';
import { judgeAndPrint, toJudging } from '../run-criteria.ts';

const options = { ...serviceOptions, ...paymentOptions, ...criteriaOptions } as const;

/** Reads the report of a test, and pays for it where that is still to be done. */
export async function runReport(
  args: readonly string[],
  console: CommandConsole,
): Promise<ExitCode> {
  const { values, positionals } = readArgs(args, options, ['TEST']);
  const judging = toJudging(values);
  const test = toTest(positionals[0] ?? '', console);
  if (test.readToken === '')
    throw usageError('The read token is missing: set DELIVERABILITY_READ_TOKEN.');
  const purse = toPurse(values, console);
  const service = toService(values, console);
  return judgeAndPrint(judging, console, async () => {
    const { report, receipt } = await readReport(service, test, purse);
    if (receipt) console.note(`Paid in transaction ${receipt.transaction}.`);
    return { report };
  });
}
