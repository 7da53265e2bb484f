import { writeFileSync } from 'node:fs';
import type { CommandConsole } from '../console.ts';
import { EXIT, type ExitCode, usageError } from '../exit.ts';
import { readArgs, serviceOptions, toService } from '../options.ts';
import { requestTest } from '../service/service-client.ts';

const options = {
  ...serviceOptions,
  save: { type: 'string' },
} as const;

/** Only its owner: it opens the report. */
const PRIVATE = 0o600;

/** Creates a test. Its token is printed only here, or kept in a file. */
export async function runNew(args: readonly string[], console: CommandConsole): Promise<ExitCode> {
  const { values } = readArgs(args, options);
  const service = toService(values, console);
  const test = await requestTest(service);
  if (values.save === undefined) {
    console.print(`${JSON.stringify(test, null, 2)}\n`);
    return EXIT.good;
  }
  try {
    writeFileSync(values.save, `${JSON.stringify(test, null, 2)}\n`, { mode: PRIVATE, flag: 'wx' });
  } catch {
    throw usageError(`${values.save} cannot be written, or is there already.`);
  }
  console.print(`${test.address}\n`);
  return EXIT.good;
}
