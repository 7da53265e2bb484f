import type { AddressInfo } from 'node:net';
import fastify from 'fastify';

/** What the yardstick answers everybody. */
export interface PlainAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The yardstick as a process of its own: a bare route that answers the same bytes to everybody. */
process.once('disconnect', () => process.exit());
process.once('message', async ({ headers, body }: PlainAnswer) => {
  const app = fastify();
  app.get('/v1/tests/:test_id/status', async (_, reply) => {
    reply.headers(headers);
    return body;
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  process.send?.((app.server.address() as AddressInfo).port);
});
