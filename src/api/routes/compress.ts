import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { FastifyRequest } from 'fastify';

/** Nearly the smallest, in a tenth of the time of the smallest. */
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

const compressors = {
  br: (body: string) => brotliCompressSync(body, QUALITY),
  gzip: (body: string) => gzipSync(body),
};

export type Encoding = keyof typeof compressors;

export const compress = (body: string, encoding: Encoding): Buffer => compressors[encoding](body);

/** The smallest encoding that a client asked for (RFC 9110 §12.5.3); a weight of 0 refuses it. */
export function preferredEncoding({ headers }: FastifyRequest): Encoding | undefined {
  const accepted = String(headers['accept-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .filter((one) => !/;\s*q=0(\.0*)?\s*$/.test(one))
    .map((one) => one.split(';', 1)[0]?.trim());
  return (['br', 'gzip'] as const).find((encoding) => accepted.includes(encoding));
}
