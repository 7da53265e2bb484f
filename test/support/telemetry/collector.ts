/** Runs a server that receives OpenTelemetry traces. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** The part of a span in OTLP's JSON that is examined. */
export interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
}

interface Sent {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
  }[];
}

/** Starts a server for what an OpenTelemetry exporter sends by OTLP over HTTP. */
export async function startCollector() {
  const texts: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    if (request.url === '/v1/traces') texts.push(body);
    response.writeHead(request.url === '/v1/traces' ? 200 : 404).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    /** The bodies of the requests, as they were received. */
    texts: texts as readonly string[],
    spans: (): readonly SentSpan[] =>
      texts.flatMap((one) =>
        (JSON.parse(one) as Sent).resourceSpans.flatMap(({ scopeSpans }) =>
          scopeSpans.flatMap(({ spans }) => spans),
        ),
      ),
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
