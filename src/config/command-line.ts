import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { describeError, outageKind } from '../domain/describe-error.ts';

/** A command line that cannot be followed. */
export class UsageError extends Error {}

/** The options and words of a command line. @throws UsageError for one that is not known */
export function readOptions<const O extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: O,
  allowPositionals = false,
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals, tokens: true });
  } catch (error) {
    // What follows the first sentence is for who writes a program.
    const [sentence = ''] = (error as Error).message.split('. ');
    throw new UsageError(`${sentence.replace(/\.$/, '')}.`);
  }
}

/** The end of a try to use a file that the command line names. @throws UsageError */
export const cannotBe = (used: 'read' | 'written', file: string) => (error: unknown) => {
  throw new UsageError(`${file} cannot be ${used} (${outageKind(error)}).`);
};

/**
 * What may be printed of the error that ended a command: our own words, or those of the system or of nats-server.
 * A library's text may hold the URL of a node with its key, or what was asked of it: of that one its kind and place.
 */
export function printable(error: unknown): string {
  if (error instanceof UsageError) return `${error.message} See --help.`;
  if (error instanceof Error && (isOurs(error) || 'syscall' in error)) return error.message;
  return [outageKind(error), ...describeError(error).at].join('\n    ');
}

/** Made in a file of ours, or by the client of NATS. No package's name begins with a dot: there may be a copy of ours. */
function isOurs({ message, stack = '' }: Error): boolean {
  const below = stack.slice(stack.indexOf(message) + message.length);
  const place = below.split('\n').find((line) => line.startsWith('    at ')) ?? '';
  return /:\d+:\d+\)?$/.test(place) && !/\bnode:|node_modules\/(?!@nats-io\/|\.)/.test(place);
}
