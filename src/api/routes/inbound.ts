/**
 * Serves the route through which an inbound provider delivers email: checks the provider's token, passes the
 * email on, and turns the verdict into an HTTP response.
 */

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

/**
 * Maximum number of bytes of an unwanted body that are read. The provider does not accept emails of more than
 * 25 MiB.
 */
const MAX_UNREAD_BYTES = 32 * 1024 * 1024;

/**
 * Serves the endpoint through which an inbound provider delivers email: the raw email in the body, and the
 * envelope in headers. The endpoint is only for the provider, and is not part of the public description. 2xx
 * means that the analysis is durable.
 */
export const inboundRoute: FastifyPluginAsyncTypebox<InboundOptions> = async (
  app,
  { receive, provider, token: ownToken, maxMessageBytes },
) => {
  const tokenSha256 = hashToken(ownToken);
  app.removeAllContentTypeParsers();
  // The receiver reads the body chunk by chunk, so that the email is in memory only once.
  app.addContentTypeParser('message/rfc822', async (_: FastifyRequest, body: Readable) => body);
  app.addContentTypeParser('*', async () => {
    throw new ServiceError('not_a_mail');
  });

  app.post(
    `/inbound/${provider}`,
    {
      schema: { hide: true },
      // The token is checked before the first byte of the body is read, and after the rate limit.
      preParsing: async ({ headers: { authorization = '' } }) => {
        const [, token = ''] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
        if (!fitsHash(token, tokenSha256)) throw new ServiceError('wrong_inbound_token');
      },
      // A client that gets its response in the middle of its body may stop sending and keep the connection
      // open.
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
      // There is no answer if the body was broken off: either by the provider, which then reads no response,
      // or by us because the body was too large.
      const status = toInboundStatus(
        answer ?? verdict('too_large', { n: String(maxMessageBytes) }),
      );
      reply.header('cache-control', 'no-store');
      return { test_id: testIdOf(to), status };
    },
  );
};

/** The stream, and with it the connection, stays open when a reader stops early. */
const chunksOf = (body: Readable): AsyncIterable<Uint8Array> =>
  body.iterator({ destroyOnReturn: false });

/** Reads the body to its end, because the provider does not read the response before that. */
async function drainBody(body: Readable): Promise<void> {
  let remaining = MAX_UNREAD_BYTES;
  try {
    for await (const chunk of chunksOf(body)) {
      remaining -= chunk.length;
      chunk.fill(0);
      if (remaining < 0) return;
    }
  } catch {
    // The connection has failed, so nobody is waiting for a response.
  }
}

/** Returns the test id in the address of a test. */
const testIdOf = (mailbox: string) => /^<?([^@]*)/.exec(mailbox)?.[1]?.toLowerCase();

/** Decodes a header that contains percent-encoded UTF-8. Returns null if it is missing or malformed. */
function mailboxOf({ headers }: FastifyRequest, name: string): string | null {
  const value = headers[name];
  if (typeof value !== 'string') return null;
  try {
    return decodeURIComponent(value);
  } catch {
    return null;
  }
}

/**
 * The status of the test after each verdict that accepts an email. Every other verdict is an error to the
 * provider.
 */
const DONE = { analysed: 'ready', repeated: 'ready', failed: 'analysis_failed' } as const;

type Done = keyof typeof DONE;

/** Verdicts with a 5xx reply. The provider gives up on an email only for these. */
type Refused = {
  [N in ReplyName]: (typeof replies)[N] extends `5${string}` ? N : never;
}[ReplyName];

/**
 * Error codes for verdicts with a 5xx reply. All other replies are 4xx and become `mail_deferred`, so that
 * the provider tries again.
 */
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

/** Time in seconds after which the provider may deliver a deferred email again. */
const RETRY_SECONDS = '30';

const isDone = (reply: ReplyName): reply is Done => reply in DONE;
const isRefused = (reply: ReplyName): reply is Refused => reply in REFUSALS;

/**
 * Returns the status of the test that accepted the email.
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
