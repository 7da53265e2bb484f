import { parseArgs } from 'node:util';
import { loadLogConfig } from '../config.ts';
import { isTestId } from '../domain/ids.ts';
import { type Call, commands, importFile } from './replay/commands.ts';
import { createProgress } from './replay/progress.ts';
import { parseUntil, type Until } from './replay/scan.ts';
import { type OpenSource, openSource } from './replay/source.ts';

const USAGE = `replay dump TEST_ID [--unsafe]                 a line an event
replay states TEST_ID [--until SEQ|TIME]       each event with the state after it
replay state [--until SEQ|TIME]                how many tests are in each state
replay rebuild [--dry-run]                     mend the buckets from the log
replay diff                                    the buckets against the log; exit 1 on any difference
replay payments [--since TIME] [--csv] [--verify]
                                               every settlement; --verify asks the chain, exit 1
                                               on any difference
replay export [--unsafe]                       the whole log as JSON lines
replay import FILE.jsonl                       fold an export without a server

Token hashes and payers are shown only with --unsafe.`;

/** A command line that cannot be followed. */
class UsageError extends Error {}

/** Where a run reads and writes. */
interface Io {
  readonly open: () => Promise<OpenSource>;
  readonly print: (value: object) => void;
  /** A line for the operator, beside the result. */
  readonly say: (line: string) => void;
}

const terminal: Io = {
  open: () => openSource(loadLogConfig()),
  print: (value) => void process.stdout.write(`${JSON.stringify(value)}\n`),
  say: (line) => void process.stderr.write(`${line}\n`),
};

/**
 * `cli.ts replay`: looks at the event log, on a live service or a stopped one. Resolves to the exit
 * code: 1 when something is missing or differs, 2 when the command line cannot be followed.
 */
export async function runReplay(args: readonly string[], io: Io = terminal): Promise<number> {
  try {
    return await run(args, io);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    io.say(`${error.message}\n\n${USAGE}`);
    return 2;
  }
}

async function run(args: readonly string[], { open, print, say }: Io): Promise<number> {
  const { positionals, values } = parse(args);
  const [command = '', argument = ''] = positionals;
  if (command === 'import') {
    if (argument === '') throw new UsageError('import needs a file.');
    return importFile(argument, { print });
  }
  const chosen = Object.hasOwn(commands, command) ? commands[command] : undefined;
  if (!chosen) throw new UsageError(`There is no command "${command}".`);
  if ((command === 'dump' || command === 'states') && !isTestId(argument))
    throw new UsageError(`${command} needs a test's id: 12 of a-z and 2-7.`);

  const call: Call = {
    ...values,
    dryRun: values['dry-run'],
    testId: argument,
    until: toUntil(values.until),
    since: toInstant(values.since),
    print,
    progress: createProgress((line) => say(`replay: ${line}`), performance.now.bind(performance)),
  };
  const source = await open();
  try {
    return await chosen(source, call);
  } finally {
    await source.close();
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        until: { type: 'string' },
        unsafe: { type: 'boolean', default: false },
        since: { type: 'string' },
        csv: { type: 'boolean', default: false },
        verify: { type: 'boolean', default: false },
        'dry-run': { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'The options cannot be read.');
  }
}

function toUntil(text: string | undefined): Until | undefined {
  const until = text === undefined ? undefined : parseUntil(text);
  if (text !== undefined && !until)
    throw new UsageError('--until wants a sequence or an instant: 2026-11-20T10:00:00Z.');
  return until;
}

function toInstant(text: string | undefined): number | undefined {
  const instant = text === undefined ? undefined : Date.parse(text);
  if (Number.isNaN(instant))
    throw new UsageError('--since wants an instant: 2026-11-20T10:00:00Z.');
  return instant;
}
