import type { CommandConsole } from '../console.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import { readArgs, requireToken, serviceOptions, toService, toTest } from '../options.ts';
import { callPatiently, expectDone } from '../service/service-client.ts';

/** Deletes a test and its report at once. */
export async function runDelete(
  args: readonly string[],
  console: CommandConsole,
): Promise<ExitCode> {
  const { values, positionals } = readArgs(args, serviceOptions, ['TEST']);
  const test = requireToken(toTest(positionals[0] ?? '', console));
  const service = toService(values, console, test);
  const headers = { 'x-read-token': test.readToken };
  expectDone(await callPatiently(service, 'DELETE', `/v1/tests/${test.testId}`, headers), 204);
  console.note('The test and its report are deleted.');
  return EXIT.good;
}
