/** Runs the operator's command that the command line names, or prints its usage, and sets the exit code. */

import { printable, UsageError } from '../config/command-line.ts';
import { endWithParent } from '../setup/parent.mjs';

/** Resolves to the exit code, or to `undefined` for 0. */
type Run = (args: readonly string[]) => Promise<number | undefined>;

type Load = () => Promise<Run>;

/**
 * Runs the command that the command line names, and sets the exit code. 2 means that the command line cannot
 * be understood.
 *
 * @param usages what `--help` prints about each command
 * @param withOwnHelp commands that handle `--help` themselves
 * @param textOf returns the text that is printed for an error that ends a command
 */
export async function runCommand(
  commands: Readonly<Record<string, Load>>,
  usages: Readonly<Record<string, string>>,
  withOwnHelp: readonly string[] = [],
  textOf: (error: unknown) => string = printable,
): Promise<void> {
  // It is not an error if a reader such as `head` has seen enough.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? 0 : 1);
  });
  endWithParent();

  const [name = '', ...args] = process.argv.slice(2);
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!load) {
    if (name !== '--help') console.error(`There is no command "${name}".`);
    console.error(`Commands: ${Object.keys(commands).join(', ')}.`);
    process.exitCode = name === '--help' ? 0 : 2;
    return;
  }
  if (!withOwnHelp.includes(name) && (args.includes('--help') || args.includes('-h'))) {
    console.log(usages[name] ?? `${name} has no options.`);
    return;
  }
  try {
    const run = await load();
    process.exitCode = (await run(args)) ?? 0;
  } catch (error) {
    const isUsage = error instanceof UsageError;
    console.error(isUsage ? printable(error) : textOf(error));
    process.exitCode = isUsage ? 2 : 1;
  }
}
