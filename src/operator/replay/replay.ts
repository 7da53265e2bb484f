import { loadLogConfig } from '../../config/config.ts';
import { parseCommandLine, type ReplayCall, USAGE, UsageError } from './command-line.ts';
import { commands, importFile } from './commands.ts';
import { createProgress } from './progress.ts';
import { type OpenSource, openSource, type StreamName } from './source.ts';

/** Where a run reads and writes. */
interface Io {
  readonly open: (needed: readonly StreamName[]) => Promise<OpenSource>;
  readonly print: (value: object) => void;
  readonly printUsage: (usage: string) => void;
  /** A line for the operator, beside the result. */
  readonly printError: (line: string) => void;
}

const terminal: Io = {
  open: (needed) => openSource(loadLogConfig(), needed),
  print: (value) => void process.stdout.write(`${JSON.stringify(value)}\n`),
  printUsage: (usage) => void process.stdout.write(`${usage}\n`),
  printError: (line) => void process.stderr.write(`${line}\n`),
};

/**
 * `operator.ts replay`: looks at the event log, on a live service or a stopped one. Resolves to the exit
 * code: 1 when something is missing or differs, 2 when the command line cannot be followed.
 */
export async function runReplay(args: readonly string[], io: Io = terminal): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    io.printUsage(USAGE);
    return 0;
  }
  try {
    return await run(args, io);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    io.printError(`replay: ${error.message} See: npm run -s operate -- replay --help`);
    return 2;
  }
}

async function run(
  args: readonly string[],
  { open, print, printUsage, printError }: Io,
): Promise<number> {
  const { command, argument, streams, ...options } = parseCommandLine(args);
  if (command === 'import') return importFile(argument, { print });

  const hint = (line: string) => printError(`replay: ${line}`);
  const call: ReplayCall = {
    ...options,
    argument,
    print,
    printText: printUsage,
    hint,
    progress: createProgress(hint, performance.now.bind(performance)),
  };
  const source = await open(streams);
  try {
    return await commands[command](source, call);
  } finally {
    await source.close();
  }
}
