import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from '../../domain/errors.ts';

/** 16 KiB: no request of ours needs a body at all. */
export const BODY_LIMIT = 16 * 1024;

/** Takes JSON and nothing else. An empty body counts as absent, whatever its type. */
export function addBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (_request: FastifyRequest, body: string) => {
      if (body === '') return undefined;
      try {
        return JSON.parse(body);
      } catch {
        throw new ServiceError('invalid_request', {
          detail: 'The request body is not valid JSON.',
        });
      }
    },
  );
  app.addContentTypeParser(
    '*',
    { parseAs: 'string' },
    async (_request: FastifyRequest, body: string) => {
      if (body === '') return undefined;
      throw new ServiceError('unsupported_media_type');
    },
  );
}
