/** Runs the yardstick for polls: a bare route that returns fixed bytes. */

import type { AddressInfo } from 'node:net';
import fastify from 'fastify';

/**
 * Responses of the yardstick: the same headers for all, and for each test's path the bytes that the service
 * returns.
 */
export interface PlainAnswers {
  readonly headers: Readonly<Record<string, string>>;
  readonly bodies: ReadonlyMap<string, string>;
}

/** The yardstick of a poll: a bare route that returns the same bytes and does nothing else. */
let answers: PlainAnswers = { headers: {}, bodies: new Map() };
process.once('disconnect', () => process.exit());
const app = fastify();
app.get<{ Params: { test_id: string } }>('/v1/tests/:test_id/status', async (request, reply) => {
  reply.headers(answers.headers);
  return answers.bodies.get(request.params.test_id);
});
await app.listen({ port: 0, host: '127.0.0.1' });
process.on('message', (message: PlainAnswers) => {
  answers = message;
  process.send?.((app.server.address() as AddressInfo).port);
});
