/** Parses the options and arguments of the `replay` commands. */

import { readOptions, UsageError } from '../../config/command-line.ts';
import { OriginalTestEvent } from '../../domain/events.ts';
import { OriginalPaymentEvent } from '../../domain/payment-events.ts';
import type { Progress } from './progress.ts';
import { parseUntil } from './scan.ts';

const options = {
  since: { type: 'string' },
  until: { type: 'string' },
  type: { type: 'string' },
  unsafe: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  apply: { type: 'boolean', default: false },
  transaction: { type: 'string' },
  unpaid: { type: 'boolean', default: false },
  reconcile: { type: 'boolean', default: false },
  replace: { type: 'boolean', default: false },
  refunds: { type: 'boolean', default: false },
  'from-block': { type: 'string' },
  'to-block': { type: 'string' },
} as const;

export type OptionName = keyof typeof options;

/** @throws UsageError */
export function parseOptions(args: readonly string[]) {
  const parsed = readOptions(args, options, true);
  const given = parsed.tokens.flatMap((one) => (one.kind === 'option' ? [one.name] : []));
  return { ...parsed, given };
}

/** Every type of event that a log can contain. */
const TYPES: readonly string[] = [
  ...[...OriginalTestEvent.anyOf, ...OriginalPaymentEvent.anyOf].map(
    ({ properties }) => properties.type.const,
  ),
  'HistoryRestored',
];

const INSTANT = 'an instant: 2026-11-20T10:00:00Z';

/** Reads `--since`, which may also be a date. `Date.parse` alone would read `5` as a time in 2001. */
const parseSince = (text: string) =>
  (/^\d{4}-\d\d-\d\d(T|$)/.test(text) && Date.parse(text)) || undefined;

const parseBlock = (text: string) => (/^\d{1,12}$/.test(text) ? Number(text) : undefined);

const toHash = (text: string) => (/^0x[0-9a-f]{64}$/i.test(text) ? text : undefined);

/**
 * Reads the arguments of a command: `since` as milliseconds since 1970, and the types of events, which are
 * separated by commas.
 *
 * @throws UsageError
 */
export function readCall(argument: string, values: ReturnType<typeof parseOptions>['values']) {
  const { transaction, unpaid, type, reconcile, refunds } = values;
  const { 'from-block': fromBlock, 'to-block': toBlock } = values;
  if (argument === '' && (transaction !== undefined || unpaid))
    throw new UsageError('--transaction and --unpaid apply to one payment: give its id.');
  if ((fromBlock ?? toBlock) !== undefined && !reconcile && !refunds)
    throw new UsageError('--from-block and --to-block apply to a comparison: add --reconcile.');
  const strange = type?.split(',').find((one) => !TYPES.includes(one));
  if (strange !== undefined) throw new UsageError(`There is no event type ${strange}.`);
  const span = {
    since: read('--since', values.since, parseSince, INSTANT),
    until: read('--until', values.until, parseUntil, `a sequence number or ${INSTANT}`),
    fromBlock: read('--from-block', fromBlock, parseBlock, 'the number of a block'),
    toBlock: read('--to-block', toBlock, parseBlock, 'the number of a block'),
  };
  const end = span.until && 'time' in span.until ? span.until.time : undefined;
  assertOrder('--since', span.since, '--until', end);
  assertOrder('--from-block', span.fromBlock, '--to-block', span.toBlock);
  return {
    ...{ ...values, ...span, argument, type },
    transaction: read('--transaction', transaction, toHash, 'a hash: 0x and 64 hex digits'),
  };
}

/** @throws UsageError if a range ends before it begins, because nothing could be found in it */
function assertOrder(from: string, start: number | undefined, to: string, end: number | undefined) {
  if (start !== undefined && end !== undefined && start > end)
    throw new UsageError(
      `The range from ${from} to ${to} ends before it begins: exchange the two.`,
    );
}

export interface ReplayCall extends ReturnType<typeof readCall> {
  /** Prints a line of the result. */
  readonly print: (value: object) => void;
  /** Prints a line of a result that is text. */
  readonly printText: (line: string) => void;
  /** Prints a line for the operator, separately from the result. */
  readonly hint: (line: string) => void;
  readonly progress: Progress;
}

/** Reads the value of an option. Returns `undefined` if the option is not given. @throws UsageError */
function read<T>(
  name: string,
  text: string | undefined,
  parse: (text: string) => T | undefined,
  wanted: string,
): T | undefined {
  const value = text === undefined ? undefined : parse(text);
  if (text !== undefined && value === undefined) throw new UsageError(`${name} needs ${wanted}.`);
  return value;
}
