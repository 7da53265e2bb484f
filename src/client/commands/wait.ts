import type { CommandConsole } from '../console.ts';
import { CommandError, EXIT, type ExitCode } from '../exit.ts';
import { readArgs, serviceOptions, toNumber, toService, toTest } from '../options.ts';
import { printFailure } from '../run-criteria.ts';
import { awaitResult } from '../service/await-result.ts';

const options = {
  ...serviceOptions,
  timeout: { type: 'string' },
  soft: { type: 'boolean' },
} as const;

const TIMEOUT = 3600;

/** Waits for a test, and prints its status. */
export async function runWait(args: readonly string[], console: CommandConsole): Promise<ExitCode> {
  const { values, positionals } = readArgs(args, options, ['TEST']);
  const test = toTest(positionals[0] ?? '', console);
  const timeout = toNumber('timeout', values.timeout, TIMEOUT, TIMEOUT);
  const service = toService(values, console, test);
  try {
    const status = await awaitResult(service, test.testId, { timeout, stopAtRefusal: false });
    console.print(`${JSON.stringify(status, null, 2)}\n`);
    return EXIT.good;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    if (values.soft !== true || error.exitCode !== EXIT.serviceAway)
      return printFailure(console)(error);
    console.note(
      `${error.message}\nThe build goes on, since --soft allows the service to be away.`,
    );
    return EXIT.good;
  }
}
