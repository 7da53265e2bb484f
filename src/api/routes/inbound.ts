/** Serves the route through which an inbound provider delivers email. */

import type { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { type ErrorCode, ServiceError } from '../../domain/errors.ts';
import {
  type MailVerdict,
  type ReplyName,
  type replies,
  toReply,
  verdict,
} from '../../domain/replies.ts';
import type { InboundOptions } from '../options.ts';
import { fitsHash, hashToken } from '../read-token.ts';

/** The provider does not accept emails of more than 25 MiB. */
const MAX_UNREAD_BYTES = 32 * 1024 * 1024;

/**
 * Receives email that an inbound provider delivers: a raw body, with the envelope in headers. It is for the
 * provider's operator alone and not part of the public description. 2xx means that the analysis is durable.
 */
export const inboundRoute: FastifyPluginAsyncTypebox<InboundOptions> = async (
  app,
  { receive, provider, token: ownToken, maxMessageBytes },
) => {
  const tokenSha256 = hashToken(ownToken);
  app.removeAllContentTypeParsers();
  // The receiver reads it chunk by chunk, so that it is in memory only once.
  app.addContentTypeParser('message/rfc822', async (_: FastifyRequest, body: Readable) => body);
  app.addContentTypeParser('*', async () => {
    throw new ServiceError('not_a_mail');
  });

  app.post(
    `/inbound/${provider}`,
    {
      schema: { hide: true },
      // Checked before the first byte of the body, and after the request limit.
      preParsing: async ({ headers: { authorization = '' } }) => {
        const [, token = ''] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
        if (!fitsHash(token, tokenSha256)) throw new ServiceError('wrong_inbound_token');
      },
      // A client that gets its response in the middle of its body may stop there and hold the connection.
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
      // The body was broken off, either by the provider, which then reads no response, or by us because it
      // had no end.
      const status = toInboundStatus(
        answer ?? verdict('too_large', { n: String(maxMessageBytes) }),
      );
      reply.header('cache-control', 'no-store');
      return { test_id: testIdOf(to), status };
    },
  );
};

/** The stream, and therefore the connection, outlives a reader that stops early. */
const chunksOf = (body: Readable): AsyncIterable<Uint8Array> =>
  body.iterator({ destroyOnReturn: false });

/** Reads to the end, because the provider does not read the response before that. */
async function drainBody(body: Readable): Promise<void> {
  let remaining = MAX_UNREAD_BYTES;
  try {
    for await (const chunk of chunksOf(body)) {
      remaining -= chunk.length;
      chunk.fill(0);
      if (remaining < 0) return;
    }
  } catch {
    // Nobody is waiting for a response.
  }
}

/** The id in the address of a test. */
const testIdOf = (mailbox: string) => /^<?([^@]*)/.exec(mailbox)?.[1]?.toLowerCase();

/** Decodes a header of percent-encoded UTF-8. Returns null if it is missing or something else. */
function mailboxOf({ headers }: FastifyRequest, name: string): string | null {
  const value = headers[name];
  if (typeof value !== 'string') return null;
  try {
    return decodeURIComponent(value);
  } catch {
    return null;
  }
}

/** The state of the test. Every other verdict is an error to the provider. */
const DONE = { analysed: 'ready', repeated: 'ready', failed: 'analysis_failed' } as const;

type Done = keyof typeof DONE;

/** Verdicts with a 5xx reply: only for these does the provider give up on an email. */
type Refused = {
  [N in ReplyName]: (typeof replies)[N] extends `5${string}` ? N : never;
}[ReplyName];

/** All other replies are 4xx and become `mail_deferred`: the provider tries again. */
const REFUSALS: Readonly<Record<Refused, ErrorCode>> = {
  bad_envelope: 'invalid_request',
  bad_sender: 'invalid_request',
  empty: 'invalid_request',
  unknown_parameter: 'invalid_request',
  unknown_address: 'test_not_found',
  bad_recipient: 'test_not_found',
  relaying: 'test_not_found',
  write_to_contact: 'test_not_found',
  nobody_to_write_to: 'test_not_found',
  used: 'mail_not_awaited',
  closed: 'mail_not_awaited',
  too_large: 'body_too_large',
  unauthenticated: 'mail_refused',
  dmarc: 'mail_refused',
  blocklisted: 'mail_refused',
  malformed: 'mail_refused',
};

/** Seconds after which an email may be delivered again. */
const RETRY_SECONDS = '30';

const isDone = (reply: ReplyName): reply is Done => reply in DONE;
const isRefused = (reply: ReplyName): reply is Refused => reply in REFUSALS;

/**
 * Returns the state of the test that accepted the email.
 *
 * @throws ServiceError with `smtp_reply` if the provider has to reject the email
 */
export function toInboundStatus(answer: MailVerdict): (typeof DONE)[Done] {
  if (isDone(answer.reply)) return DONE[answer.reply];
  const { code, text } = toReply(answer);
  if (isRefused(answer.reply))
    throw new ServiceError(REFUSALS[answer.reply], { members: { smtp_reply: `${code} ${text}` } });
  throw new ServiceError('mail_deferred', {
    detail: text.slice(text.indexOf(' ') + 1),
    headers: { 'retry-after': RETRY_SECONDS },
  });
}
