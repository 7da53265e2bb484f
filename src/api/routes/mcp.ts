/** Serves the Model Context Protocol over HTTP. */

import { Readable } from 'node:stream';
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { ServiceError } from '../../domain/errors.ts';
import type { PaymentSettings } from '../../domain/payment-terms.ts';
import type { Cost } from '../../mcp/mcp-server.ts';
import { describeOffer } from '../discovery/manifest.ts';
import type { ApiOptions } from '../options.ts';
import type { RequestLimit } from '../plugins/rate-limits.ts';
import { callAs, countCalls, createTurns } from './mcp-calls.ts';

/** Version of the tools, as clients show it. */
const VERSION = '1.0.0';

interface McpOptions extends Pick<ApiOptions, 'settings' | 'logger'> {
  /** The limit of routes without one of their own; undefined if there is none. */
  readonly limit: RequestLimit | undefined;
}

/**
 * Serves the Model Context Protocol over streamable HTTP without sessions: each request is independent and
 * can go to any replica. A request from a page of another origin is refused, because a browser would send it
 * for anyone.
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
    // The module takes a tenth of the memory at rest, so it is loaded by the first call.
    const { createMcpHandler, validateOriginHeader } = await import('@modelcontextprotocol/server');
    const { createMcpServer } = await import('../../mcp/mcp-server.ts');
    const origin = validateOriginHeader(request.headers.origin, [ownHost()]);
    if (!origin.ok)
      throw new ServiceError('forbidden_origin', {
        detail: 'Call /mcp from a program, or from a page of this service.',
      });
    const calls = countCalls(request.body);
    if (calls > 1) limit?.countMore(request.ip, calls - 1);
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    await turn(request.ip);
    const call = callAs(app, request, { turn, signal: gone.signal });
    const handler = createMcpHandler(
      () => createMcpServer({ call, buy: null, cost, version: VERSION }),
      {
        // The text of an error could come from an argument, for example a token.
        onerror: ({ name }) => logger.debug({ error: name }, 'mcp request refused'),
        maxSubscriptions: 0,
      },
    );
    const answer = await handler.fetch(toWebRequest(request, settings.baseUrl()), {
      parsedBody: request.body,
    });
    reply.code(answer.status).header('cache-control', 'no-store');
    for (const [name, value] of answer.headers) reply.header(name, value);
    return reply.send(answer.body ? Readable.fromWeb(answer.body as never) : undefined);
  });
};

/** Returns what the caller of a tool pays for a report, in words and as data. */
function costOf(payment: PaymentSettings | null): Cost {
  if (payment === null) return { sentence: 'Reading a report is free.' };
  const { price, terms } = describeOffer(payment);
  const sentence = `Reading a report costs ${price} once: pay in _meta["x402/payment"] (x402 version 2).`;
  return { sentence, terms };
}

/** Builds the request without its body, which is passed on as it was parsed. */
function toWebRequest({ headers }: FastifyRequest, baseUrl: string): Request {
  const fields = Object.entries(headers).filter(([name]) =>
    /^(accept|content-type|mcp-)/.test(name),
  );
  return new Request(`${baseUrl}/mcp`, {
    method: 'POST',
    headers: Object.fromEntries(fields) as Record<string, string>,
  });
}
