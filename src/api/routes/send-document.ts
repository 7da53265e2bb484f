/**
 * Sends documents that change only with a release, with caching headers, compresses these and other
 * responses, and chooses between HTML and JSON.
 */

import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest, onSendAsyncHookHandler } from 'fastify';

/**
 * Brotli quality for documents that are compressed once: the result is nearly the smallest possible, in a
 * tenth of the time.
 */
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

const compressors = {
  br: (body: string) => brotliCompressSync(body, QUALITY),
  gzip: (body: string) => gzipSync(body),
};

type Encoding = keyof typeof compressors;

const compress = (body: string, encoding: Encoding): Buffer => compressors[encoding](body);

/**
 * Returns the encoding that compresses best of those that a client accepts (RFC 9110 §12.5.3). A weight of 0
 * means that the client rejects an encoding.
 */
function preferredEncoding({ headers }: FastifyRequest): Encoding | undefined {
  const accepted = String(headers['accept-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .filter((one) => !/;\s*q=0(\.0*)?\s*$/.test(one))
    .map((one) => one.split(';', 1)[0]?.trim());
  return (['br', 'gzip'] as const).find((encoding) => accepted.includes(encoding));
}

/**
 * Time in seconds for which caches may keep a document. After that time, the ETag saves sending it again.
 */
const MAX_AGE_SECONDS = 3600;

/**
 * Maximum number of compressed bodies that are kept, by ETag. It is enough for every page and document of a
 * service.
 */
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

/**
 * Returns a function that returns the same document each time. The document depends only on the settings, so
 * it is made once for each base URL.
 */
export function madeOnce(baseUrl: () => string, make: () => Document): () => Document {
  const made = new Map<string, Document>();
  return () => {
    const document = made.get(baseUrl()) ?? make();
    made.set(baseUrl(), document);
    return document;
  };
}

/**
 * Sends a document that changes only with a release. It may be cached, and is not sent again to a client that
 * already has it.
 */
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
  // ETags are compared by weak comparison (RFC 9110 §13.1.2).
  const known = request.headers['if-none-match']?.split(',').map((one) => one.trim()) ?? [];
  if (known.some((one) => one === '*' || one.replace(/^W\//, '') === etag))
    return reply.code(304).send();
  reply.type(type);
  if (!encoding) return reply.serializer(String).send(body);
  return reply.header('content-encoding', encoding).send(compressOnce(etag, body, encoding));
}

/**
 * Brotli quality for responses that are compressed for one client: faster than gzip, with a smaller result.
 */
const QUICK = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

const quickCompressors = {
  br: (body: string) => promisify(brotliCompress)(body, QUICK),
  gzip: (body: string) => promisify(gzip)(body),
};

/** Minimum size of a response that is compressed, in bytes. A smaller one fits into one packet anyway. */
const MIN_COMPRESSED_BYTES = 1200;

/**
 * Compresses a response that is sent only once, outside the thread that serves all clients. It is an `onSend`
 * hook.
 */
export const compressAnswer: onSendAsyncHookHandler = async (request, reply, payload) => {
  if (typeof payload !== 'string' || payload.length < MIN_COMPRESSED_BYTES) return payload;
  reply.header('vary', 'Accept-Encoding');
  const encoding = preferredEncoding(request);
  if (!encoding) return payload;
  reply.header('content-encoding', encoding);
  return quickCompressors[encoding](payload);
};

/**
 * Returns how strongly a client prefers a media type, from 0 to 1 (RFC 9110 §12.5.1), and the position at
 * which its `Accept` header names the type; -1 if it does not.
 */
function wishFor(accept: string, type: string): { readonly weight: number; readonly at: number } {
  const ranges = accept.split(',').map((range) => {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const q = parameters.find((one) => one.startsWith('q='))?.slice(2);
    return { name, weight: q === undefined ? 1 : Number(q) || 0 };
  });
  // The most specific media range decides.
  for (const name of [type, type.replace(/\/.*/, '/*'), '*/*']) {
    const at = ranges.findIndex((one) => one.name === name);
    if (at >= 0) return { weight: ranges[at]?.weight ?? 0, at: name === type ? at : -1 };
  }
  return { weight: 0, at: -1 };
}

/** Returns whether a client accepts a media type. Without an `Accept` header, it accepts every type. */
export const accepts = ({ headers }: FastifyRequest, type: string): boolean =>
  wishFor(headers.accept || '*/*', type).weight > 0;

/** Returns whether a client prefers HTML or JSON, or null if it prefers neither. */
function preference({ headers }: FastifyRequest): 'html' | 'json' | null {
  const [html, json] = ['text/html', 'application/json'].map((type) =>
    wishFor(headers.accept ?? '', type),
  ) as [ReturnType<typeof wishFor>, ReturnType<typeof wishFor>];
  if (html.weight !== json.weight) return html.weight > json.weight ? 'html' : 'json';
  if (html.at === json.at || html.weight === 0) return null;
  return html.at >= 0 && (json.at < 0 || html.at < json.at) ? 'html' : 'json';
}

/** Returns whether the client prefers an HTML page to JSON, as browsers do. */
export const prefersHtml = (request: FastifyRequest): boolean => preference(request) === 'html';

/** Returns whether the client prefers JSON, for URLs at which an HTML page is the default. */
export const prefersJson = (request: FastifyRequest): boolean => preference(request) === 'json';
