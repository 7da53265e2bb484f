import type { CommandConsole } from '../console.ts';
import { criteriaOptions } from '../criteria-options.ts';
import type { ExitCode } from '../exit.ts';
import {
  paymentOptions,
  readArgs,
  requireToken,
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
  return judgeAndPrint(toJudging(values), console, async () => {
    const test = requireToken(toTest(positionals[0] ?? '', console));
    const purse = toPurse(values, console);
    const service = toService(values, console, test);
    const { report, receipt } = await readReport(service, test, purse);
    if (receipt) console.note(`Paid in transaction ${receipt.transaction}.`);
    return { report };
  });
}
