import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { compress, type Encoding, preferredEncoding } from './compress.ts';

/** Seconds that caches may keep a document; after that its ETag saves the bytes. */
const MAX_AGE_SECONDS = 3600;

/** Compressed bodies that are kept, by ETag: every page and document of a service. */
const MAX_KEPT = 500;

export interface Document {
  readonly type: string;
  readonly body: string;
}

const kept = new Map<string, Buffer>();

function compressOnce(etag: string, body: string, encoding: Encoding): Buffer {
  const known = kept.get(etag);
  if (known) return known;
  if (kept.size >= MAX_KEPT) kept.clear();
  const packed = compress(body, encoding);
  kept.set(etag, packed);
  return packed;
}

/** Sends what changes with a release only: cached long, and not sent twice. */
export function sendDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, body }: Document,
  cacheControl = `public, max-age=${MAX_AGE_SECONDS}`,
) {
  const encoding = preferredEncoding(request);
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 22);
  const etag = `"${hash}${encoding ? `-${encoding}` : ''}"`;
  reply.headers({
    etag,
    'cache-control': cacheControl,
    vary: 'Accept, Accept-Encoding',
  });
  // RFC 9110 §13.1.2: the comparison is the weak one.
  const known = request.headers['if-none-match']?.split(',').map((one) => one.trim()) ?? [];
  if (known.some((one) => one === '*' || one.replace(/^W\//, '') === etag))
    return reply.code(304).send();
  reply.type(type);
  if (!encoding) return reply.serializer(String).send(body);
  return reply.header('content-encoding', encoding).send(compressOnce(etag, body, encoding));
}

/** Whether the client would rather have a page than JSON: browsers name HTML first. */
export function prefersHtml({ headers }: FastifyRequest): boolean {
  const accept = headers.accept ?? '';
  const at = (type: string) => accept.indexOf(type);
  return (
    at('text/html') >= 0 && (at('application/json') < 0 || at('text/html') < at('application/json'))
  );
}
