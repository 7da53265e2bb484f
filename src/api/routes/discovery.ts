import type { FastifyPluginAsync } from 'fastify';
import { checks } from '../../analysis/checks.ts';
import { REPORT_SCHEMA_PATH } from '../../domain/payment-required.ts';
import { apiCatalog, CATALOG_TYPE } from '../discovery/api-catalog.ts';
import { llmsTxt } from '../discovery/llms-txt.ts';
import { paymentManifest } from '../discovery/manifest.ts';
import { reportSchema } from '../discovery/report-schema.ts';
import { securityTxt } from '../discovery/security-txt.ts';
import { robots, sitemap } from '../discovery/sitemap.ts';
import type { ApiOptions } from '../options.ts';
import { assets } from '../pages/assets.ts';
import { type Document, sendDocument } from './send-document.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';

/** What search engines may list. */
const PATHS = [
  '/',
  '/sample',
  '/privacy',
  '/llms.txt',
  '/openapi.json',
  '/sample-report.json',
  '/method',
  '/errors',
  '/findings',
  ...checks.map(({ id }) => `/findings/${id}`),
];

interface Options extends Pick<ApiOptions, 'settings' | 'clock'> {
  readonly openapi: () => object;
}

/** How machines and people find out what this is. */
export const discoveryRoutes: FastifyPluginAsync<Options> = async (
  app,
  { settings, clock, openapi },
) => {
  const { baseUrl, contactEmail, payment } = settings;
  const icon = () => assets.get('icon.svg') as Document;
  const json = (value: object): Document => ({ type: JSON_TYPE, body: JSON.stringify(value) });

  const documents: Record<string, () => Document> = {
    '/icon.svg': icon,
    '/favicon.ico': icon,
    '/openapi.json': () => json(openapi()),
    [REPORT_SCHEMA_PATH]: () => json(reportSchema(baseUrl())),
    ...(payment && { '/.well-known/x402': () => json(paymentManifest(settings, payment)) }),
    '/.well-known/api-catalog': () => ({
      type: CATALOG_TYPE,
      body: JSON.stringify(apiCatalog(baseUrl(), payment !== null)),
    }),
    '/llms.txt': () => ({ type: TEXT_TYPE, body: llmsTxt(settings) }),
    '/sitemap.xml': () => ({
      type: 'application/xml; charset=utf-8',
      body: sitemap(baseUrl(), PATHS),
    }),
    '/robots.txt': () => ({ type: TEXT_TYPE, body: robots(baseUrl()) }),
  };

  /** Made once: they depend on the settings alone. */
  const made = new Map<string, Document>();
  for (const [url, make] of Object.entries(documents))
    app.get(url, { schema: { hide: true } }, async (request, reply) => {
      const key = baseUrl() + url;
      const document = made.get(key) ?? make();
      made.set(key, document);
      return sendDocument(request, reply, document);
    });

  if (contactEmail !== null)
    app.get('/.well-known/security.txt', { schema: { hide: true } }, async (request, reply) =>
      sendDocument(request, reply, {
        type: TEXT_TYPE,
        body: securityTxt(baseUrl(), contactEmail, clock()),
      }),
    );
};
