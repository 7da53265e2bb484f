/**
 * The parts of an error that may be shown. Its message is never shown, because a library's text may quote
 * what a sender wrote.
 */
export interface ErrorDescription {
  readonly name: string;
  readonly code?: string | number;
  /** Status of an HTTP response. */
  readonly status?: number;
  /** The places in the code where the error arose, the innermost first. */
  readonly at: readonly string[];
  readonly cause?: ErrorDescription;
}

/** A line of a stack that names a place in a file. */
const FRAME = /^ {4}at .*:\d+:\d+\)?$/;

const MAX_FRAMES = 8;

/**
 * Describes an error by its name, its code and its place. Anything else that was thrown is described by its
 * type.
 */
export function describeError(error: unknown): ErrorDescription {
  if (!(error instanceof Error)) return { name: typeof error, at: [] };
  const { name, message, stack = '' } = error;
  const { code, status } = error as { readonly code?: unknown; readonly status?: unknown };
  // If there were several attempts, the error of the first one tells the cause.
  const cause = error.cause ?? (error instanceof AggregateError ? error.errors[0] : undefined);
  // A stack begins with the error's message, which may contain lines that look like frames.
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

/** The system's own word for what is wrong with a connection, such as ECONNREFUSED. */
const ERRNO = /^(E|UND_ERR_|CERT_|DEPTH_|ERR_TLS_|ERR_SSL_|UNABLE_)[A-Z_]+$/;

/**
 * Returns why someone else's server did not respond, in one word that may be shown: the code of the innermost
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
