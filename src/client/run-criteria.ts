/**
 * Parses the options for judging and printing reports, judges reports by the user's criteria, prints the
 * results, and chooses the exit code.
 */

import type { CommandConsole } from './console.ts';
import { toCriteria } from './criteria-options.ts';
import { EXIT, type ExitCode, toCommandError } from './exit.ts';
import { toError } from './formats/json.ts';
import type { FilePlace } from './formats/json-schema.ts';
import {
  emptyOutputs,
  printOutcomes,
  type Showing,
  toOutputs,
  type Writing,
} from './formats/print-outcome.ts';
import {
  type AnyReport,
  type Criteria,
  judgeReport,
  type RunOutcome,
  summaryOf,
} from './outcome.ts';

/** Settings for how reports are judged and shown. */
interface Judging extends Showing, Writing {
  readonly criteria: Criteria;
  readonly soft: boolean;
}

/** The options about criteria and formats, and every option that names a file to be read. */
type Values = Parameters<typeof toCriteria>[0] & {
  readonly mail?: string | undefined;
  readonly dns?: string | undefined;
  readonly 'key-file'?: string | undefined;
};

/**
 * Parses the options about criteria and formats. This happens before anything else, because a mistake in them
 * must not cost an email or money.
 *
 * @param paths the arguments that name further files to be read
 */
export const toJudging = (
  values: Values,
  { env }: Pick<CommandConsole, 'env'>,
  paths: readonly string[] = [],
): Judging => ({
  outputs: toOutputs(values.format ?? [], env.GITHUB_STEP_SUMMARY),
  inputs: [
    ...paths,
    ...[values.mail, values.dns, values['key-file'], env.DELIVERABILITY_KEY_FILE].flatMap(
      (path) => path || [],
    ),
  ],
  criteria: toCriteria(values),
  all: values.findings === true,
  soft: values.soft === true,
});

/** A report, and what else is known about the email or domain. */
export interface FoundReport {
  readonly report: AnyReport;
  readonly remarks?: readonly string[];
  readonly places?: ReadonlyMap<string, FilePlace>;
}

const NOTHING = { failures: [], fault: null, file: null, remarks: [], places: new Map() };

/** Returns the result for one email. Never throws: an error becomes part of the result. */
export async function outcomeOf(
  judging: Pick<Judging, 'criteria' | 'soft'>,
  file: string | null,
  find: () => Promise<FoundReport>,
): Promise<RunOutcome> {
  try {
    const found = await find();
    return { ...NOTHING, ...found, file, failures: judgeReport(found.report, judging.criteria) };
  } catch (error) {
    return { ...toFailed(error, judging), file };
  }
}

function toFailed(error: unknown, { soft }: Pick<Judging, 'soft'>): RunOutcome {
  const { code, message, exitCode, details } = toCommandError(error);
  const excused = soft && exitCode === EXIT.serviceAway;
  return { ...NOTHING, report: null, fault: { code, message, exitCode, excused, ...details } };
}

/**
 * Prints the results of all emails in every format, and returns the exit code. If a report is missing, the
 * same formats explain why, so that a pipeline shows the reason where it shows everything else.
 */
export async function printAll(
  judging: Judging,
  console: CommandConsole,
  run: () => Promise<readonly RunOutcome[]>,
): Promise<ExitCode> {
  const outcomes = await run().catch((error) => [toFailed(error, judging)]);
  await printOutcomes(outcomes, judging, console);
  return summaryOf(outcomes).exit_code;
}

/** Judges one email, prints the result in every format, and returns the exit code. */
export async function judgeAndPrint(
  judging: Judging,
  console: CommandConsole,
  find: () => Promise<FoundReport>,
): Promise<ExitCode> {
  emptyOutputs(judging);
  return printAll(judging, console, async () => [await outcomeOf(judging, null, find)]);
}

/**
 * Prints an error as JSON, for commands that always print JSON, and throws it again. A mistake on the command
 * line is reported only on stderr.
 */
export const printFailure =
  ({ print, note }: CommandConsole) =>
  async (error: unknown): Promise<never> => {
    const { code, message, exitCode, details } = toCommandError(error);
    if (exitCode !== EXIT.usage)
      await print(
        `${JSON.stringify({ error: toError({ code, message, exitCode, ...details }) }, null, 2)}\n`,
      ).catch((failure) => note(failure.message));
    throw error;
  };
