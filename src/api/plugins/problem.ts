/**
 * Turns every error, even one that occurs before there is a request, into a problem document (RFC 9457), or
 * into an HTML page for a browser.
 */

import { randomUUID } from 'node:crypto';
import { maxHeaderSize, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ErrorCode, ServiceError, toProblem } from '../../domain/errors.ts';
import { discoveryLinks } from '../discovery/manifest.ts';
import type { Problem } from '../pages/view/html.mjs';
import { prefersHtml } from '../routes/send-document.ts';
import { NOT_JSON } from './http-rules.ts';
import { pageHeaders } from './security.ts';

/** Default of `Retry-After` in a 502 or 503, in seconds. */
const RETRY_SECONDS = '5';

const MEDIA_TYPE = 'application/problem+json; charset=utf-8';

/** Returns a new request id. An id from the client is never used, because the id is logged. */
export const newRequestId = () => randomUUID();

/** Returns the URL of the page that explains the error codes. */
export const errorsUrl = (baseUrl: string) => `${baseUrl}/errors`;

/**
 * Creates the functions that respond to every error with a problem document (RFC 9457). Only this module
 * knows the form of such a document. A browser that asks for a page gets a page with the same content.
 */
export function problemAnswers(baseUrl: () => string, toPage: (problem: Problem) => string) {
  function send(error: unknown, request: FastifyRequest, reply: FastifyReply) {
    const known = hasLeft(request)
      ? new ServiceError('invalid_request', { cause: error })
      : toServiceError(error, request);
    const problem = { ...toProblem(known, errorsUrl(baseUrl())), request_id: request.id };
    if (known.code === 'internal_error')
      request.log.error(
        { request: request.id, err: error },
        'request failed because of a defect; the response was 500',
      );

    const isPage = known.code === 'not_found' || request.routeOptions?.config.isPage;
    if (isPage && prefersHtml(request)) {
      const retryAfter = Number(known.options.headers?.['retry-after'] ?? RETRY_SECONDS);
      return reply
        .code(problem.status)
        .headers(pageHeaders(baseUrl()))
        .headers({ 'cache-control': 'no-store', vary: 'Accept', ...known.options.headers })
        .type('text/html; charset=utf-8')
        .serializer(String)
        .send(toPage({ ...problem, retryAfter }));
    }
    return (
      reply
        .code(problem.status)
        .headers({ 'cache-control': 'no-store', 'x-request-id': request.id })
        // A request that fails because of the service may succeed a few seconds later.
        .headers(problem.status > 500 ? { 'retry-after': RETRY_SECONDS } : {})
        .headers(problem.status === 402 ? { link: discoveryLinks(baseUrl()) } : {})
        .headers(known.options.headers ?? {})
        .type(MEDIA_TYPE)
        .serializer(JSON.stringify)
        .send(problem)
    );
  }

  /**
   * Responds to errors that occur before there is a request. The bytes of the response are written directly
   * to the socket.
   */
  function refuseConnection(
    this: Pick<FastifyInstance, 'log'>,
    error: Error & { code?: string; reason?: string },
    socket: Duplex,
  ): void {
    if (socket.destroyed || !socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const request_id = newRequestId();
    const known = new ServiceError(
      SOCKET_ERRORS[error.code ?? ''] ?? 'invalid_request',
      detailOf(error.code === 'HPE_HEADER_OVERFLOW' ? TOO_LONG_HEADERS : notHttp(error.reason)),
    );
    const problem = { ...toProblem(known, errorsUrl(baseUrl())), request_id };
    const body = JSON.stringify(problem);
    this.log.debug({ request: request_id, status: problem.status }, 'connection refused');
    socket.end(
      [
        `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
        `Content-Type: ${MEDIA_TYPE}`,
        `Content-Length: ${Buffer.byteLength(body)}`,
        'Cache-Control: no-store',
        `X-Request-Id: ${request_id}`,
        'Connection: close',
        '',
        body,
      ].join('\r\n'),
    );
  }

  return { send, refuseConnection };
}

/**
 * Returns whether the client disconnected in the middle of its request: nobody is waiting for a response, and
 * nothing is broken.
 */
const hasLeft = ({ raw }: FastifyRequest): boolean => raw.destroyed && !raw.complete;

const SOCKET_ERRORS: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  CONNECT: 'method_not_allowed',
  GAVE_WAY: 'too_many_connections',
};

const TOO_LONG_HEADERS = `The request line and the header fields may have at most ${maxHeaderSize} bytes together.`;

/** Explains an error of Node's parser, whose reasons are fixed texts that quote nothing. */
const notHttp = (reason: string | undefined) => reason && `This is not valid HTTP/1.1: ${reason}.`;

const detailOf = (detail: string | undefined) => (detail ? { detail } : {});

const FRAMEWORK_ERRORS: Record<number, ErrorCode> = {
  408: 'request_timeout',
  413: 'body_too_large',
  415: 'unsupported_media_type',
};

/** Says for Fastify's errors what the caller has to change. */
const explainStatus = (error: FastifyError, { routeOptions }: FastifyRequest) => {
  if (error.code === 'FST_ERR_BAD_URL')
    return 'The path contains a % that is not part of a valid percent-encoding.';
  if (error.statusCode === 413) return `At most ${routeOptions.bodyLimit} bytes are accepted here.`;
  if (error.statusCode === 415) return NOT_JSON;
  return undefined;
};

/** Names of the parts of a request in texts, by the names that Fastify has for them. */
const PARTS: Readonly<Record<string, string>> = {
  params: 'path parameter',
  querystring: 'query parameter',
  headers: 'header',
};

/**
 * Says which parameter is wrong and what is expected. The messages of the validator (Ajv) name the rule,
 * never the value.
 */
function explainInvalid({ validation, validationContext }: FastifyError): string {
  const { keyword, instancePath, params, message } = validation?.[0] ?? {};
  const part = PARTS[validationContext ?? ''];
  if (part === undefined) return 'The request body must be a JSON object.';
  const subject = `The ${part} ${params?.missingProperty ?? instancePath?.slice(1)}`;
  if (keyword === 'required') return `${subject} is missing.`;
  // A parameter that is repeated is read as a list.
  if (keyword === 'type') return `${subject} may appear only once.`;
  return `${subject} ${message}.`;
}

/**
 * Converts Fastify's own 4xx errors to our errors. Any other error is a bug, whose cause is not shown to the
 * caller.
 */
function toServiceError(error: unknown, request: FastifyRequest): ServiceError {
  if (error instanceof ServiceError) return error;
  if (!isFrameworkError(error)) return new ServiceError('internal_error', { cause: error });

  const { validation, message, statusCode = 500 } = error;
  if (validation) return new ServiceError('invalid_request', { detail: explainInvalid(error) });
  if (statusCode < 400 || statusCode > 499)
    return new ServiceError('internal_error', { cause: error });
  const code = FRAMEWORK_ERRORS[statusCode] ?? 'invalid_request';
  return new ServiceError(code, {
    ...detailOf(explainStatus(error, request)),
    cause: message,
  });
}

const isFrameworkError = (error: unknown): error is FastifyError =>
  error instanceof Error &&
  ('validation' in error || ('code' in error && String(error.code).startsWith('FST_ERR')));
