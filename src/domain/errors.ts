/**
 * Lists the error codes of the API with their HTTP status and title, and builds the errors and problem
 * documents (RFC 9457) that carry them.
 */

/** Every error that a caller of the public API can receive, by its `code`. A code is never renamed. */
export const publicErrors = {
  invalid_request: { status: 400, title: 'The request is malformed.' },
  payment_required: { status: 402, title: 'This report has not been paid for yet.' },
  payment_invalid: { status: 402, title: 'This payment was not accepted.' },
  wrong_read_token: { status: 403, title: 'The read token does not belong to this test.' },
  test_not_found: { status: 404, title: 'No test has this id, or it was deleted.' },
  not_found: { status: 404, title: 'There is nothing at this URL.' },
  method_not_allowed: { status: 405, title: 'This URL does not support this method.' },
  request_timeout: { status: 408, title: 'The request did not arrive in time.' },
  report_not_ready: { status: 409, title: 'This test has no report to read.' },
  sale_closed: { status: 409, title: 'This report can no longer be bought.' },
  body_too_large: { status: 413, title: 'The request body is too large.' },
  unsupported_media_type: { status: 415, title: 'The request body must be JSON.' },
  rate_limited: { status: 429, title: 'You sent too many requests.' },
  headers_too_large: { status: 431, title: 'The header fields are too large.' },
  internal_error: { status: 500, title: 'Something went wrong on our side.' },
  facilitator_unavailable: {
    status: 502,
    title: 'The payment could not be checked. Try again later.',
  },
  log_unavailable: { status: 503, title: 'The service cannot reach its event log at the moment.' },
  too_many_connections: {
    status: 503,
    title: 'All connections are in use, and your network uses the largest share.',
  },
  creation_paused: { status: 503, title: 'No new tests can be created at the moment.' },
  test_damaged: { status: 503, title: 'The record of this test is damaged.' },
  settlement_pending: { status: 503, title: 'A payment for this report is being settled.' },
} as const;

export type PublicErrorCode = keyof typeof publicErrors;

/** Error codes that only a caller who is asked to pay can receive. */
export const paymentCodes: readonly string[] = [
  'payment_required',
  'payment_invalid',
  'sale_closed',
  'facilitator_unavailable',
  'settlement_pending',
] satisfies (keyof typeof publicErrors)[];

/** Errors that only an inbound provider, such as Cloudflare, can receive when it delivers email. */
export const inboundErrors = {
  wrong_inbound_token: { status: 401, title: 'Only the inbound provider may deliver mail here.' },
  mail_not_awaited: { status: 409, title: 'This test accepts no more mail.' },
  not_a_mail: { status: 415, title: 'The request body must be an email (message/rfc822).' },
  mail_refused: { status: 422, title: 'The email was refused.' },
  mail_deferred: {
    status: 503,
    title: 'The email cannot be accepted at the moment. Send it again later.',
  },
} as const;

/** Errors that a web page can receive when it calls `/mcp` from a browser. */
const mcpErrors = {
  forbidden_origin: { status: 403, title: 'Pages on other sites may not call this URL.' },
} as const;

export const errors = { ...publicErrors, ...inboundErrors, ...mcpErrors } as const;

export type ErrorCode = keyof typeof errors;

/** Optional parts of a `ServiceError`. */
export interface ErrorOptions {
  /** A sentence that tells this caller what is wrong, then what to do. It never contains a secret value. */
  readonly detail?: string;
  /** Further members of the problem document, such as `test_status`. */
  readonly members?: Readonly<Record<string, unknown>>;
  /** Headers of the response, such as `retry-after`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** Returns the error for a test whose history in the log is incomplete. */
export const testDamaged = () =>
  new ServiceError('test_damaged', {
    detail:
      'Part of the record of this test is missing or cannot be read. ' +
      'You are not charged, and an email sent now is not lost. Try again later.',
    headers: { 'retry-after': '300' },
  });

/** An error that the caller can act on. Any other error is a bug, and the response to it is a 500. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  readonly options: ErrorOptions;

  constructor(code: ErrorCode, options: ErrorOptions = {}) {
    super(errors[code].title, { cause: options.cause });
    this.code = code;
    this.options = options;
  }
}

/**
 * Returns the problem document (RFC 9457 §3) with the members that every problem has. `type` links to the
 * documentation.
 */
export function toProblem(error: ServiceError, docsUrl: string) {
  const { status, title } = errors[error.code];
  const { detail, members } = error.options;
  return {
    ...members,
    type: `${docsUrl}#${error.code}`,
    title,
    status,
    code: error.code,
    ...(detail === undefined ? {} : { detail }),
  };
}
