/** Serves the scripts, styles and images that pages load, so that browsers can cache them for a year. */

import type { FastifyPluginAsync } from 'fastify';
import { ServiceError } from '../../domain/errors.ts';
import { assets, assetVersion } from '../pages/assets.ts';
import { sendDocument } from './send-document.ts';

/** `Cache-Control` of assets: one year, because the URL of an asset changes with its content. */
const IMMUTABLE = 'public, max-age=31536000, immutable';

/** Headers that all other responses have, but that have no use for a file. */
const NEEDLESS = ['access-control-expose-headers', 'content-security-policy'];

/** Serves the files that pages load. There are about thirty of them, so their responses have few headers. */
export const assetRoutes: FastifyPluginAsync = async (app) => {
  app.addHook('onRequest', async (_request, reply) => {
    for (const name of NEEDLESS) reply.removeHeader(name);
  });
  app.get<{ Params: { version: string; '*': string } }>(
    '/assets/:version/*',
    { schema: { hide: true } },
    async (request, reply) => {
      const asset = assets.get(request.params['*']);
      if (!asset) throw new ServiceError('not_found');
      const current = request.params.version === assetVersion;
      return sendDocument(request, reply, asset, current ? IMMUTABLE : undefined);
    },
  );
};
