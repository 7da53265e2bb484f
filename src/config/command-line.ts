/**
 * Parses the command lines of the service and of the operator's commands, and decides which error texts they
 * may print.
 */

import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { describeError, outageKind } from '../domain/describe-error.ts';

/** The error for a command line that cannot be understood. */
export class UsageError extends Error {}

/**
 * Returns the options and positional arguments of a command line.
 * @throws UsageError for an unknown option
 */
export function readOptions<const O extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: O,
  allowPositionals = false,
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals, tokens: true });
  } catch (error) {
    // Everything after the first sentence of Node's error message is meant for programmers.
    const [sentence = ''] = (error as Error).message.split('. ');
    throw new UsageError(`${sentence.replace(/\.$/, '')}.`);
  }
}

/**
 * Returns an error handler for a file named on the command line that cannot be read or written.
 * @throws UsageError that names the file
 */
export const cannotBe = (used: 'read' | 'written', file: string) => (error: unknown) => {
  throw new UsageError(`${file} cannot be ${used} (${outageKind(error)}).`);
};

/**
 * Returns the text to print for an error that ended a command. Texts of our own, of the system and of
 * nats-server are printed in full. A library's text may contain the URL of a node with its key, or data from
 * a request, so only the kind of the error and its place are printed.
 */
export function printable(error: unknown): string {
  if (error instanceof UsageError) return `${error.message} See --help.`;
  if (error instanceof Error && (isOurs(error) || 'syscall' in error)) return error.message;
  return [outageKind(error), ...describeError(error).at].join('\n    ');
}

/**
 * Returns whether the error was created in one of our files or by the NATS client. A folder in `node_modules`
 * may hold a copy of our files if its name begins with a dot, because no package's name does.
 */
function isOurs({ message, stack = '' }: Error): boolean {
  const below = stack.slice(stack.indexOf(message) + message.length);
  const place = below.split('\n').find((line) => line.startsWith('    at ')) ?? '';
  return /:\d+:\d+\)?$/.test(place) && !/\bnode:|node_modules\/(?!@nats-io\/|\.)/.test(place);
}
