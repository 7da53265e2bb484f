/** Runs `operator.ts replay`, with which an operator examines and repairs the event log. */

import { UsageError } from '../../config/command-line.ts';
import { loadLogConfig } from '../../config/config.ts';
import { parseOptions, readCall } from './call.ts';
import { commands } from './commands.ts';
import { createProgress } from './progress.ts';
import { type OpenSource, openSource, type StreamName } from './source.ts';

/** How a run opens the log, and where it prints. */
interface Io {
  readonly open: (needed: readonly StreamName[]) => Promise<OpenSource>;
  readonly print: (value: object) => void;
  readonly printUsage: (usage: string) => void;
  /** Prints a line for the operator, separately from the result. */
  readonly printError: (line: string) => void;
}

const terminal: Io = {
  open: (needed) => openSource(loadLogConfig(), needed),
  print: (value) => void process.stdout.write(`${JSON.stringify(value)}\n`),
  printUsage: (usage) => void process.stdout.write(`${usage}\n`),
  printError: (line) => void process.stderr.write(`${line}\n`),
};

const usage = () =>
  [
    'npm run -s operate -- replay COMMAND',
    '',
    ...Object.entries(commands).map(
      ([name, { usage, does }]) => `  ${name} ${usage}\n      ${does.replace(/\s+/g, ' ')}`,
    ),
    '',
    'Results are lines of JSON on stdout. Token hashes and payers are shown only with --unsafe.',
  ].join('\n');

/**
 * Runs `operator.ts replay`, which examines the event log of a live service or of a stopped one. Resolves to
 * the exit code: 1 if something is missing or differs.
 *
 * @throws UsageError
 */
export async function runReplay(args: readonly string[], io: Io = terminal): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    io.printUsage(usage());
    return 0;
  }
  const hint = (line: string) => io.printError(`replay: ${line}`);
  const { command, call } = parseCommandLine(args);
  const source = await io.open(command.streams);
  const progress = createProgress(hint, performance.now.bind(performance));
  try {
    const { print, printUsage: printText } = io;
    return await command.run(source, { ...call, print, printText, hint, progress });
  } finally {
    await source.close();
  }
}

/** @throws UsageError */
function parseCommandLine(args: readonly string[]) {
  const { positionals, values, given } = parseOptions(args);
  const [name, ...all] = positionals;
  if (name === undefined) throw new UsageError('No command was given.');
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new UsageError(`There is no command "${name}".`);
  const [argument = '', ...more] = command.argument ? all : ['', ...all];
  if (command.argument?.isRight(argument) === false)
    throw new UsageError(`${name} needs ${command.argument.needed}.`);
  if (more.length > 0) throw new UsageError(`${name} takes no further arguments: "${more[0]}".`);
  // Every command accepts `--json`, although all but one print lines of JSON anyway.
  const known = ['json', ...(command.options ?? [])];
  const unknown = given.find((one) => !known.includes(one));
  if (unknown !== undefined) throw new UsageError(`${name} has no option --${unknown}.`);

  return { command, call: readCall(argument, values) };
}
