import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Seconds that caches may keep a document; after that its ETag saves the bytes. */
const MAX_AGE_SECONDS = 3600;

export interface Document {
  readonly type: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends what changes with a release only: cached long, and not sent twice. */
export function sendDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, body, headers }: Document,
) {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  reply.headers({
    etag,
    'cache-control': `public, max-age=${MAX_AGE_SECONDS}`,
    vary: 'Accept',
    ...headers,
  });
  // RFC 9110 §13.1.2: the comparison is the weak one.
  const known = request.headers['if-none-match']?.split(',').map((one) => one.trim()) ?? [];
  if (known.some((one) => one === '*' || one.replace(/^W\//, '') === etag))
    return reply.code(304).send();
  return reply.type(type).serializer(String).send(body);
}

/** Whether the client would rather have a page than JSON: browsers name HTML first. */
export function prefersHtml({ headers }: FastifyRequest): boolean {
  const accept = headers.accept ?? '';
  const at = (type: string) => accept.indexOf(type);
  return (
    at('text/html') >= 0 && (at('application/json') < 0 || at('text/html') < at('application/json'))
  );
}
