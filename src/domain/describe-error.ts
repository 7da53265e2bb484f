/**
 * Describes errors by name, code and place, and outages of other servers in one word, but never by the
 * error's message, so that the description may be logged and shown.
 */

/**
 * The parts of an error that may be logged. The message of the error is left out, because a library's text
 * may quote what a sender wrote.
 */
export interface ErrorDescription {
  readonly name: string;
  readonly code?: string | number;
  /** HTTP status, if the error is about a response. */
  readonly status?: number;
  /** Stack frames that show where the error arose, the innermost first. */
  readonly at: readonly string[];
  readonly cause?: ErrorDescription;
}

/** Matches a line of a stack trace that names a place in a file. */
const FRAME = /^ {4}at .*:\d+:\d+\)?$/;

const MAX_FRAMES = 8;

/**
 * Describes an error by its name, its code and its place. A thrown value that is not an `Error` is described
 * by its type.
 */
export function describeError(error: unknown): ErrorDescription {
  if (!(error instanceof Error)) return { name: typeof error, at: [] };
  const { name, message, stack = '' } = error;
  const { code, status } = error as { readonly code?: unknown; readonly status?: unknown };
  // After several failed attempts, the error of the first attempt is taken as the cause.
  const cause = error.cause ?? (error instanceof AggregateError ? error.errors[0] : undefined);
  // A stack trace begins with the error's message, which may contain lines that look like frames.
  const below = stack.slice(stack.indexOf(message) + message.length);
  const frames = below.split('\n').filter((line) => FRAME.test(line));
  return {
    name,
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
    ...(typeof status === 'number' && { status }),
    at: frames.slice(0, MAX_FRAMES).map((line) => line.trim()),
    ...(cause !== undefined && { cause: describeError(cause) }),
  };
}

/** Matches the codes of the system, of Node.js and of OpenSSL for a failed connection, such as ECONNREFUSED. */
const ERRNO = /^(E|UND_ERR_|CERT_|DEPTH_|SELF_SIGNED_|UNABLE_)[A-Z0-9_/]+$/;

/**
 * Returns in one word, which may be shown, why another server did not respond: the code of the innermost
 * error, the HTTP status, or the name of the innermost error.
 */
export function outageKind(error: unknown): string {
  let kind = 'unknown';
  let at = error;
  while (typeof at === 'object' && at !== null) {
    const { code, status } = at as { readonly code?: unknown; readonly status?: unknown };
    if (typeof status === 'number') return `HTTP ${status}`;
    if (typeof code === 'string' && ERRNO.test(code)) return code;
    if (!(at instanceof Error)) return kind;
    kind = at.name;
    at = at.cause ?? (at instanceof AggregateError ? at.errors[0] : undefined);
  }
  return kind;
}
