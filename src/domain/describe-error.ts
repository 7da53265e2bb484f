/** What may be shown of an error. Never its message: a library's text may quote what a sender wrote. */
export interface ErrorDescription {
  readonly name: string;
  readonly code?: string;
  /** Where in the code it arose, the innermost place first. */
  readonly at: readonly string[];
  readonly cause?: ErrorDescription;
}

/** A line of a stack: a place in a file. */
const FRAME = /^ {4}at .*:\d+:\d+\)?$/;

const MAX_FRAMES = 8;

/** An error by its name, its code and its place; what is thrown and is no error, by its type. */
export function describeError(error: unknown): ErrorDescription {
  if (!(error instanceof Error)) return { name: typeof error, at: [] };
  const { name, message, stack = '' } = error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  // A stack begins with the message, which may span lines that look like frames.
  const below = stack.slice(stack.indexOf(message) + message.length);
  const frames = below.split('\n').filter((line) => FRAME.test(line));
  return {
    name,
    ...(code && { code }),
    at: frames.slice(0, MAX_FRAMES).map((line) => line.trim()),
    ...(error.cause !== undefined && { cause: describeError(error.cause) }),
  };
}
