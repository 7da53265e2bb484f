/**
 * Makes the API calls of the tools of one MCP request in this process, limits their number and the size of
 * their responses, and lets clients take turns. Several calls in one request count as several calls.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../domain/errors.ts';
import { createFairQueue } from '../../domain/fairness/fair-queue.ts';
import { networksOf } from '../../domain/fairness/networks.ts';
import { parseJson } from '../../domain/response-body.ts';
import type { ServiceCall } from '../../mcp/service-call.ts';

/** Maximum number of messages in one JSON-RPC batch. Each message counts as a request. */
const MAX_BATCH = 20;

/**
 * Total size of the API's responses to one MCP request, in bytes. Once it is exceeded, the request's other
 * calls are refused.
 */
const MAX_ANSWER_BYTES = 256 * 1024;

/**
 * Returns the number of calls in the body of a request.
 * @throws ServiceError `invalid_request` for too many
 */
export function countCalls(body: unknown): number {
  const calls = Array.isArray(body) ? body.length : 1;
  if (calls > MAX_BATCH)
    throw new ServiceError('invalid_request', {
      detail: `A batch may contain at most ${MAX_BATCH} messages; this one contains ${calls}.`,
    });
  return calls;
}

/**
 * Lets networks, and the clients within them, take turns, so that a large number of calls delays neither
 * polls nor the calls of others. The returned function waits for the client's turn. Each call gets its own
 * turn of the event loop.
 */
export function createTurns(): (ip: string) => Promise<void> {
  const waiting = createFairQueue<() => void>();
  let isRunning = false;

  async function pump(): Promise<void> {
    isRunning = true;
    while (waiting.size() > 0) {
      await nextTurn();
      waiting.take()?.();
    }
    isRunning = false;
  }

  return (ip) =>
    new Promise((resolve) => {
      waiting.push(networksOf(ip), resolve);
      if (!isRunning) void pump();
    });
}

interface Departure {
  /** A signal that is aborted when the client disconnects. */
  readonly gone: AbortSignal;
  /** A signal that is aborted even when the client has only closed its side of the connection. */
  readonly left: AbortSignal;
}

/** Watches when the client of a request leaves. One that has closed its side may still read its response. */
export function departureOf({ raw: { socket } }: FastifyRequest, { raw }: FastifyReply): Departure {
  const [gone, left] = [new AbortController(), new AbortController()];
  const leave = () => left.abort();
  socket.once('end', leave);
  raw.once('close', () => {
    // The connection may serve many requests.
    socket.off('end', leave);
    leave();
    gone.abort();
  });
  return { gone: gone.signal, left: left.signal };
}

interface Caller extends Departure {
  readonly turn: ReturnType<typeof createTurns>;
}

/**
 * Returns the function through which the tools of one MCP request call the HTTP API in this process. The
 * calls count against the limits of the client that called the tool. They are made one after another, as long
 * as the client is connected.
 */
export function callAs(
  app: FastifyInstance,
  { ip }: FastifyRequest,
  { turn, gone, left }: Caller,
): ServiceCall {
  let sent = 0;
  let last: Promise<unknown> = Promise.resolve();

  const send: ServiceCall = async (method, url, headers = {}) => {
    await turn(ip);
    if (sent > MAX_ANSWER_BYTES) return TOO_LARGE;
    const answer = await app.inject({
      method,
      url,
      headers: { accept: 'application/json', ...headers },
      remoteAddress: ip,
      // Nobody waits for a client that has closed its side, because it has probably left.
      signal: 'prefer' in headers ? left : gone,
    });
    sent += answer.body.length;
    const fields = Object.entries(answer.headers).map(([name, value]) => [name, String(value)]);
    return {
      status: answer.statusCode,
      headers: new Headers(fields as [string, string][]),
      body: parseJson(answer.body),
    };
  };

  return (...request) => {
    const answer = last.then(() => send(...request));
    last = answer.catch(() => undefined);
    return answer;
  };
}

const TOO_LARGE = {
  status: 413,
  headers: new Headers(),
  body: {
    title: 'Together, the responses to this batch are too large.',
    detail: 'Send this call again on its own.',
    code: 'answer_too_large',
  },
};
