import type { CommandConsole } from '../console.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import { readArgs, serviceOptions, toService } from '../options.ts';
import { printFailure } from '../run-criteria.ts';
import { saveTest } from '../save-test.ts';
import { requestTest } from '../service/service-client.ts';

const options = {
  ...serviceOptions,
  save: { type: 'string' },
} as const;

/** Creates a test. Its token is printed only here, or kept in a file. */
export async function runNew(args: readonly string[], console: CommandConsole): Promise<ExitCode> {
  const { values } = readArgs(args, options);
  const service = toService(values, console);
  const test = await requestTest(service).catch(printFailure(console));
  if (values.save === undefined) {
    console.print(`${JSON.stringify(test, null, 2)}\n`);
    return EXIT.good;
  }
  saveTest(values.save, test, service.url);
  console.print(`${test.address}\n`);
  return EXIT.good;
}
