import type { Report } from '../domain/report/report.ts';
import type { CommandConsole } from './console.ts';
import { toCriteria } from './criteria-options.ts';
import { CommandError, EXIT, type ExitCode } from './exit.ts';
import { type Output, printOutcome, toOutputs } from './formats/print-outcome.ts';

import { type Criteria, judgeReport, type RunOutcome } from './outcome.ts';

/** How a report is judged and shown. */
export interface Judging {
  readonly criteria: Criteria;
  readonly outputs: readonly Output[];
  readonly all: boolean;
  readonly soft: boolean;
}

type Values = Parameters<typeof toCriteria>[0];

/** Reads them first of all: a mistake in them must not cost a mail or money. */
export const toJudging = (values: Values): Judging => ({
  criteria: toCriteria(values),
  outputs: toOutputs([values.format ?? []].flat().map(String)),
  all: values.findings === true,
  soft: values.soft === true,
});

interface Found {
  readonly report: Report;
  readonly file?: string;
  readonly remarks?: readonly string[];
}

/**
 * Gets a report, judges it, prints it in every format, and gives the exit code. What kept the report away is
 * printed in the same formats, so that a pipeline shows it where it shows everything else.
 */
export async function judgeAndPrint(
  { criteria, outputs, all, soft }: Judging,
  console: CommandConsole,
  find: () => Promise<Found>,
): Promise<ExitCode> {
  const found = await find().catch((error: unknown) => {
    if (error instanceof CommandError && error.exitCode !== EXIT.usage) return error;
    throw error;
  });
  const outcome = found instanceof CommandError ? toFault(found, soft) : toOutcome(found, criteria);
  printOutcome(outcome, outputs, console, all);
  if (outcome.fault) {
    const { message, excused, exitCode } = outcome.fault;
    if (!outputs.some(({ format, file }) => format === 'view' && file === null))
      console.note(message);
    if (excused) console.note('The build goes on, since --soft allows the service to be away.');
    return excused ? EXIT.good : exitCode;
  }
  return outcome.failures.length > 0 ? EXIT.below : EXIT.good;
}

const toFault = ({ message, exitCode }: CommandError, soft: boolean): RunOutcome => ({
  report: null,
  failures: [],
  fault: { message, exitCode, excused: soft && exitCode === EXIT.serviceAway },
  file: null,
  remarks: [],
});

const toOutcome = ({ report, file, remarks = [] }: Found, criteria: Criteria): RunOutcome => ({
  report,
  failures: judgeReport(report, criteria),
  fault: null,
  file: file ?? null,
  remarks,
});
