import { parseArgs } from 'node:util';
import { OriginalTestEvent } from '../../domain/events.ts';
import { isTestId, toId } from '../../domain/ids.ts';
import { OriginalPaymentEvent } from '../../domain/payment-events.ts';
import type { Progress } from './progress.ts';
import { parseUntil, type Until } from './scan.ts';
import type { StreamName } from './source.ts';

export const USAGE = `npm run -s operate -- replay COMMAND

  why TEST_ID|ADDRESS                 why a test stands where it stands, in one sentence
  find ADDRESS|TX|PAYER|IP|DOMAIN     its test, its settlements, or the tests it sent mail to
  events [--since TIME] [--until TIME] [--type NAME,…] [--follow]
                                      what was stored in a span of time, then what comes
  dump TEST_ID [--unsafe]             a line an event
  states TEST_ID [--until SEQ|TIME]   each event with the state after it
  state [--until SEQ|TIME]            how many tests are in each state
  verify                              each history against its own chain; exit 1 on any damage
  end TEST_ID [--apply]               end a test whose history is damaged; --apply does it, else it is a dry run
  close [PAYMENT_ID [--transaction TX] [--unpaid]] [--apply]
                                      close damaged payments by what the chain shows; --transaction names what
                                      paid, --unpaid says that nothing has, where nothing names it
  payments [--since TIME] [--until TIME] [--sum] [--csv] [--verify]
                                      every settlement; --sum adds them up; --verify asks the chain, exit 1 on any
                                      difference
  payments --reconcile [--from-block N] [--to-block N] [--refunds]
                                      the log against the chain, both ways; exit 1 on any mismatch; --refunds prints
                                      the transfers that are due back, to be signed
  export [--unsafe]                   the whole log as JSON lines
  import FILE.jsonl                   fold an export without a server
  backup FILE                         the whole log, secrets included, into a file
  restore FILE                        a backup into an empty log; again: goes on
  accept-loss                         go on with a log that lacks messages

Results are lines of JSON on stdout; --json makes the sentence of \`why\` one, too.
Token hashes and payers are shown only with --unsafe.`;

/** The events that there are. */
const TYPES: readonly string[] = [
  ...[...OriginalTestEvent.anyOf, ...OriginalPaymentEvent.anyOf].map(
    ({ properties }) => properties.type.const,
  ),
  'HistoryRestored',
];

/** A command line that cannot be followed. */
export class UsageError extends Error {}

const options = {
  until: { type: 'string' },
  unsafe: { type: 'boolean', default: false },
  since: { type: 'string' },
  csv: { type: 'boolean', default: false },
  sum: { type: 'boolean', default: false },
  verify: { type: 'boolean', default: false },
  reconcile: { type: 'boolean', default: false },
  refunds: { type: 'boolean', default: false },
  'from-block': { type: 'string' },
  'to-block': { type: 'string' },
  apply: { type: 'boolean', default: false },
  transaction: { type: 'string' },
  unpaid: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  follow: { type: 'boolean', default: false },
  type: { type: 'string' },
} as const;

interface Shape {
  readonly argument?: 'TEST_ID' | 'PAYMENT_ID' | 'ADDRESS' | 'NAME' | 'FILE';
  readonly options: readonly (keyof typeof options)[];
  /** Without these there is nothing to read. */
  readonly streams: readonly StreamName[];
}

/** An option that a command does not know is not passed over: it may be what was meant to be careful. */
const shapes = {
  why: { argument: 'ADDRESS', options: [], streams: ['TESTS', 'PAYMENTS'] },
  find: { argument: 'NAME', options: ['since', 'until'], streams: ['TESTS', 'PAYMENTS'] },
  events: {
    options: ['since', 'until', 'type', 'follow', 'unsafe'],
    streams: ['TESTS', 'PAYMENTS'],
  },
  dump: { argument: 'TEST_ID', options: ['unsafe'], streams: ['TESTS', 'PAYMENTS'] },
  states: { argument: 'TEST_ID', options: ['until'], streams: ['TESTS', 'PAYMENTS'] },
  state: { options: ['until'], streams: ['TESTS', 'PAYMENTS'] },
  verify: { options: [], streams: ['TESTS', 'REPORTS', 'PAYMENTS'] },
  end: { argument: 'TEST_ID', options: ['apply'], streams: ['TESTS', 'PAYMENTS'] },
  close: {
    argument: 'PAYMENT_ID',
    options: ['apply', 'transaction', 'unpaid'],
    streams: ['PAYMENTS'],
  },
  payments: {
    options: [
      ...(['since', 'until', 'sum', 'csv', 'verify', 'reconcile', 'refunds'] as const),
      ...(['from-block', 'to-block'] as const),
    ],
    streams: ['PAYMENTS'],
  },
  export: { options: ['unsafe'], streams: ['TESTS', 'REPORTS', 'PAYMENTS'] },
  import: { argument: 'FILE', options: [], streams: [] },
  backup: { argument: 'FILE', options: [], streams: ['TESTS', 'REPORTS', 'PAYMENTS'] },
  restore: { argument: 'FILE', options: [], streams: [] },
  'accept-loss': { options: [], streams: [] },
} as const satisfies Record<string, Shape>;

export type CommandName = keyof typeof shapes;

/**
 * What is to be done.
 *
 * @throws UsageError when that cannot be followed
 */
export function parseCommandLine(args: readonly string[]) {
  const { positionals, values, given } = parse(args);
  const [command, argument = '', ...rest] = positionals;
  if (command === undefined) throw new UsageError('Which command?');
  if (!isCommand(command)) throw new UsageError(`There is no command "${command}".`);
  const shape: Shape = shapes[command];
  if (shape.argument === 'TEST_ID' && !isTestId(argument))
    throw new UsageError(`${command} needs a test's id: 12 of a-z and 2-7.`);
  if (shape.argument === 'PAYMENT_ID' && !PAYMENT_ID.test(argument))
    throw new UsageError(
      `${command} needs a payment's id: what is behind "payments." in its subject.`,
    );
  if (argument === '' && (values.transaction !== undefined || values.unpaid))
    throw new UsageError('--transaction and --unpaid are about one payment: give its id.');
  if (values.transaction !== undefined && !TRANSACTION.test(values.transaction))
    throw new UsageError('--transaction wants a hash: 0x and 64 hex digits.');
  if (shape.argument === 'ADDRESS' && toId(argument) === undefined)
    throw new UsageError(`${command} needs a test's id or address.`);
  if (shape.argument === 'NAME' && argument === '')
    throw new UsageError(`${command} needs an address, a transaction, a payer, an IP or a domain.`);
  const strange = values.type?.split(',').find((name) => !TYPES.includes(name));
  if (strange !== undefined) throw new UsageError(`There is no event ${strange}.`);
  if (shape.argument === 'FILE' && argument === '')
    throw new UsageError(`${command} needs a file.`);
  const more = shape.argument ? rest : [argument, ...rest].filter(Boolean);
  if (more.length > 0) throw new UsageError(`${command} takes nothing more: "${more[0]}".`);
  // Every result is lines of JSON already, but for one sentence.
  const foreign = given.find(
    (name) => name !== 'json' && !shape.options.some((one) => one === name),
  );
  if (foreign !== undefined) throw new UsageError(`${command} has no option --${foreign}.`);
  const { 'from-block': fromBlock, 'to-block': toBlock, ...plain } = values;
  return {
    command,
    argument,
    streams: shape.streams,
    ...plain,
    until: toUntil(values.until),
    since: toInstant(values.since),
    fromBlock: toBlockNumber('--from-block', fromBlock),
    toBlock: toBlockNumber('--to-block', toBlock),
  };
}

/** A test's, or that of a sale of the sample; whatever is on its subject has to be closed. */
const PAYMENT_ID = /^[\w-]{0,64}$/;
const TRANSACTION = /^0x[0-9a-f]{64}$/i;

const isCommand = (name: string): name is CommandName => Object.hasOwn(shapes, name);

function parse(args: readonly string[]) {
  try {
    const parsed = parseArgs({ args: [...args], allowPositionals: true, tokens: true, options });
    const given = parsed.tokens.flatMap((one) => (one.kind === 'option' ? [one.name] : []));
    return { ...parsed, given };
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

function toBlockNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,12}$/.test(text)) throw new UsageError(`${name} wants the number of a block.`);
  return Number(text);
}

function toInstant(text: string | undefined): number | undefined {
  const instant = text === undefined ? undefined : Date.parse(text);
  if (Number.isNaN(instant))
    throw new UsageError('--since wants an instant: 2026-11-20T10:00:00Z.');
  return instant;
}

type CommandLine = ReturnType<typeof parseCommandLine>;

/** What a command was given, checked: `since` in milliseconds since 1970, `type` separated by commas. */
export interface ReplayCall extends Omit<CommandLine, 'command' | 'streams'> {
  /** A line of the result. */
  readonly print: (value: object) => void;
  /** A line of a result that is text. */
  readonly printText: (line: string) => void;
  /** A line for the operator, beside the result. */
  readonly hint: (line: string) => void;
  readonly progress: Progress;
}
