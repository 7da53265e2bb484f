/**
 * Serves the Model Context Protocol (MCP) over HTTP at `/mcp`, within the rate limits, and refuses calls from
 * pages of other origins.
 */

import { Readable } from 'node:stream';
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { ServiceError } from '../../domain/errors.ts';
import type { PaymentSettings } from '../../domain/payment-terms.ts';
import type { Cost } from '../../mcp/mcp-server.ts';
import { dropNullArguments } from '../../mcp/null-arguments.ts';
import { describeOffer } from '../discovery/manifest.ts';
import type { ApiOptions } from '../options.ts';
import type { RequestLimit } from '../plugins/rate-limits.ts';
import { callAs, countCalls, createTurns, departureOf } from './mcp-calls.ts';
import { accepts } from './send-document.ts';

/** Version of the MCP tools that clients show. */
const VERSION = '1.0.0';

const EVENT_STREAM = 'text/event-stream';

/** The media types of a response. MCP demands that clients accept both, but some widely used ones do not. */
const ANSWERS = ['application/json', EVENT_STREAM];

interface McpOptions extends Pick<ApiOptions, 'settings' | 'logger'> {
  /** The rate limit of routes without a limit of their own; `undefined` if there is none. */
  readonly limit: RequestLimit | undefined;
}

/**
 * Serves the Model Context Protocol over streamable HTTP without sessions: each request is independent and
 * can go to any replica. Requests from pages of other origins are refused, because a browser would send them
 * on behalf of any page.
 */
export const mcpRoute: FastifyPluginAsync<McpOptions> = async (
  app,
  { settings, logger, limit },
) => {
  const { payment } = settings;
  const turn = createTurns();
  const cost = costOf(payment);
  const ownHost = () => new URL(settings.baseUrl()).hostname;

  app.post('/mcp', { schema: { hide: true } }, async (request, reply) => {
    // The MCP module takes up a tenth of the memory of an idle service, so it is loaded only by the first
    // call.
    const { createMcpHandler, validateOriginHeader } = await import('@modelcontextprotocol/server');
    const { createMcpServer } = await import('../../mcp/mcp-server.ts');
    const origin = validateOriginHeader(request.headers.origin, [ownHost()]);
    if (!origin.ok)
      throw new ServiceError('forbidden_origin', {
        detail: 'Call /mcp from a program, or from a page of this service.',
      });
    const calls = countCalls(request.body);
    dropNullArguments(request.body);
    if (calls > 1) limit?.countMore(request.ip, calls - 1);
    const departure = departureOf(request, reply);
    await turn(request.ip);
    const call = callAs(app, request, { turn, ...departure });
    const handler = createMcpHandler(
      () => createMcpServer({ call, buy: null, cost, version: VERSION }),
      {
        // The message of the error is not logged, because it could quote an argument, for example a token.
        onerror: ({ name }) => logger.debug({ error: name }, 'mcp request refused'),
        maxSubscriptions: 0,
      },
    );
    const answer = await handler.fetch(toWebRequest(request, settings.baseUrl()), {
      parsedBody: request.body,
    });
    reply.code(answer.status).header('cache-control', 'no-store');
    const isStream = answer.headers.get('content-type') === EVENT_STREAM;
    if (isStream && !accepts(request, EVENT_STREAM)) {
      const responses = responsesIn(await answer.text());
      return reply.send(Array.isArray(request.body) ? responses : responses[0]);
    }
    for (const [name, value] of answer.headers) reply.header(name, value);
    return reply.send(answer.body ? Readable.fromWeb(answer.body as never) : undefined);
  });
};

/** Returns the price of a report for the caller of a tool, in words and as data. */
function costOf(payment: PaymentSettings | null): Cost {
  if (payment === null) return { sentence: 'Reading a report is free.' };
  const { price, terms } = describeOffer(payment);
  const sentence = `Reading a report costs ${price} once: pay in _meta["x402/payment"] (x402 version 2).`;
  return { sentence, terms };
}

/**
 * Builds the web request for the MCP handler without a body, because the parsed body is passed on separately.
 */
function toWebRequest(request: FastifyRequest, baseUrl: string): Request {
  const fields = Object.entries(request.headers).filter(([name]) =>
    /^(accept|content-type|mcp-)/.test(name),
  );
  const headers = Object.fromEntries(fields) as Record<string, string>;
  // The handler refuses clients that do not name both types.
  if (ANSWERS.some((type) => accepts(request, type))) headers.accept = ANSWERS.join(', ');
  return new Request(`${baseUrl}/mcp`, { method: 'POST', headers });
}

/** Returns the JSON-RPC responses in an event stream, without notifications such as progress. */
const responsesIn = (stream: string): object[] =>
  [...stream.matchAll(/^data: (.+)$/gm)]
    .map(([, data = '']) => JSON.parse(data) as object)
    .filter((message) => 'id' in message);
