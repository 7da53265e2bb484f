/**
 * Runs the commands `new`, `wait`, `report` and `delete`, which create a test, wait for it, read its report
 * and delete it.
 */

import type { CommandConsole } from '../console.ts';
import { criteriaOptions } from '../criteria-options.ts';
import { CommandError, EXIT, type ExitCode } from '../exit.ts';
import {
  paymentOptions,
  readArgs,
  requireToken,
  serviceOptions,
  toNumber,
  toPurse,
  toService,
  toTest,
} from '../options.ts';
import { readReport } from '../payment/read-report.ts';
import { judgeAndPrint, printFailure, toJudging } from '../run-criteria.ts';
import { saveTest } from '../save-test.ts';
import { awaitResult, withReasons } from '../service/await-result.ts';
import { callPatiently, expectDone, requestTest } from '../service/service-client.ts';

const newOptions = {
  ...serviceOptions,
  save: { type: 'string' },
} as const;

/** Creates a test. Its token is printed, or saved in a file, and exists nowhere else. */
export async function runNew(args: readonly string[], console: CommandConsole): Promise<ExitCode> {
  const { values } = readArgs(args, newOptions);
  const service = toService(values, console);
  const test = await requestTest(service).catch(printFailure(console));
  if (values.save === undefined) {
    await console.print(`${JSON.stringify(test, null, 2)}\n`);
    return EXIT.good;
  }
  saveTest(values.save, test, service.url);
  await console.print(`${test.address}\n`);
  return EXIT.good;
}

const waitOptions = {
  ...serviceOptions,
  timeout: { type: 'string' },
  soft: { type: 'boolean' },
} as const;

const TIMEOUT = 3600;

/** Waits for a test and prints its status. */
export async function runWait(args: readonly string[], console: CommandConsole): Promise<ExitCode> {
  const { values, positionals } = readArgs(args, waitOptions, ['TEST']);
  const test = toTest(positionals[0] ?? '', console);
  const timeout = toNumber('timeout', values.timeout, TIMEOUT, TIMEOUT);
  const service = toService(values, console, test);
  try {
    const status = await awaitResult(service, test.testId, { timeout, stopAtRefusal: false });
    await console.print(`${JSON.stringify(status, null, 2)}\n`);
    return EXIT.good;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    if (values.soft !== true || error.exitCode !== EXIT.serviceAway)
      return printFailure(console)(error);
    console.note(
      `${error.message}\nThe build continues, because --soft allows the service to be unavailable.`,
    );
    return EXIT.good;
  }
}

const reportOptions = { ...serviceOptions, ...paymentOptions, ...criteriaOptions } as const;

/** Reads the report of a test, and pays for it if it is not paid for yet. */
export async function runReport(
  args: readonly string[],
  console: CommandConsole,
): Promise<ExitCode> {
  const { values, positionals } = readArgs(args, reportOptions, ['TEST']);
  return judgeAndPrint(toJudging(values, console, positionals), console, async () => {
    const test = requireToken(toTest(positionals[0] ?? '', console));
    const purse = toPurse(values, console);
    const service = toService(values, console, test);
    const { report, receipt } = await readReport(service, test, purse).catch(
      withReasons(service, test.testId),
    );
    if (receipt) console.note(`Paid in transaction ${receipt.transaction}.`);
    return { report };
  });
}

/** Deletes a test and its report immediately. */
export async function runDelete(
  args: readonly string[],
  console: CommandConsole,
): Promise<ExitCode> {
  const { values, positionals } = readArgs(args, serviceOptions, ['TEST']);
  const test = requireToken(toTest(positionals[0] ?? '', console));
  const service = toService(values, console, test);
  const headers = { 'x-read-token': test.readToken };
  expectDone(await callPatiently(service, 'DELETE', `/v1/tests/${test.testId}`, headers), 204);
  console.note('The test and its report have been deleted.');
  return EXIT.good;
}
