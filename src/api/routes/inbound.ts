import type { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../../domain/errors.ts';
import { verdict } from '../../domain/replies.ts';
import type { InboundOptions } from '../options.ts';
import { fitsHash, hashToken } from '../read-token.ts';
import { toInboundStatus } from './inbound-answers.ts';

/** The provider takes no mail of more than 25 MiB. */
const MAX_UNREAD_BYTES = 32 * 1024 * 1024;

/**
 * Where an inbound provider hands over mail, as a raw body with its envelope in headers. For its
 * operator alone: not part of the public description. 2xx means that the analysis is durable.
 */
export const inboundRoute: FastifyPluginAsyncTypebox<InboundOptions> = async (
  app,
  { receive, provider, token: ownToken, maxMessageBytes },
) => {
  const tokenSha256 = hashToken(ownToken);
  app.removeAllContentTypeParsers();
  // Read by the receiver, chunk by chunk: it is in memory once.
  app.addContentTypeParser('message/rfc822', async (_: FastifyRequest, body: Readable) => body);
  app.addContentTypeParser('*', async () => {
    throw new ServiceError('not_a_mail');
  });

  app.post(
    `/inbound/${provider}`,
    {
      schema: { hide: true },
      // Before a byte of the body, and after the limit on requests.
      preParsing: async ({ headers: { authorization = '' } }) => {
        const [, token = ''] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
        if (!fitsHash(token, tokenSha256)) throw new ServiceError('wrong_inbound_token');
      },
      // A client that is answered in the middle of its body may stop there, and hold the connection.
      onSend: async ({ raw }, reply) => {
        if (!raw.complete) reply.header('connection', 'close');
      },
    },
    async (request, reply) => {
      const body = request.body as Readable | undefined;
      const from = mailboxOf(request, 'x-envelope-from');
      const to = mailboxOf(request, 'x-envelope-to');
      if (body === undefined) return toInboundStatus(verdict('empty'));
      if (from === null || to === null) {
        await drainBody(body);
        return toInboundStatus(verdict('bad_envelope'));
      }

      const declared = Number(request.headers['content-length']);
      const answer = await receive({
        from,
        to,
        declaredBytes: declared > 0 ? declared : null,
        content: chunksOf(body),
      });
      await drainBody(body);
      // Broken off by the provider, which reads no answer, or by us: it had no end.
      const status = toInboundStatus(
        answer ?? verdict('too_large', { n: String(maxMessageBytes) }),
      );
      reply.header('cache-control', 'no-store');
      return { test_id: testIdOf(to), status };
    },
  );
};

/** The stream, and so the connection, outlives a reader that stops early. */
const chunksOf = (body: Readable): AsyncIterable<Uint8Array> =>
  body.iterator({ destroyOnReturn: false });

/** Reads to the end, since the provider listens for an answer only then. */
async function drainBody(body: Readable): Promise<void> {
  let remaining = MAX_UNREAD_BYTES;
  try {
    for await (const chunk of chunksOf(body)) {
      remaining -= chunk.length;
      chunk.fill(0);
      if (remaining < 0) return;
    }
  } catch {
    // Nobody waits for an answer.
  }
}

/** Of an address that was a test's. */
const testIdOf = (mailbox: string) => /^<?([^@]*)/.exec(mailbox)?.[1]?.toLowerCase();

/** Percent-encoded UTF-8, as a header has to be; null: absent or not that. */
function mailboxOf({ headers }: FastifyRequest, name: string): string | null {
  const value = headers[name];
  if (typeof value !== 'string') return null;
  try {
    return decodeURIComponent(value);
  } catch {
    return null;
  }
}
