/**
 * Serves the documents that describe the service to programs (the OpenAPI document, the report's JSON Schema,
 * the payment manifest, the API catalogue and `llms.txt`), and a website's usual files (`robots.txt`,
 * `sitemap.xml`, `security.txt` and the icon).
 */

import type { FastifyPluginAsync } from 'fastify';
import { checks } from '../../analysis/checks.ts';
import { REPORT_SCHEMA_PATH, reportSchemaUrl } from '../../domain/payment-required.ts';
import { SCHEMA_VERSION } from '../../domain/report/report.ts';
import { llmsTxt } from '../discovery/llms-txt.ts';
import { paymentManifest } from '../discovery/manifest.ts';
import type { ApiOptions } from '../options.ts';
import { assets } from '../pages/assets.ts';
import { escapeHtml } from '../pages/view/html.mjs';
import { DescribedReport } from '../schemas/components.ts';
import { type Document, madeOnce, sendDocument } from './send-document.ts';

/** Media type and profile of the API catalogue, which is a linkset (RFC 9727 §4.2). */
const CATALOG_TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

/** Builds `/.well-known/api-catalog`, which says where the API is and where it is described. */
const apiCatalog = (baseUrl: string, sells: boolean) => ({
  linkset: [
    {
      anchor: `${baseUrl}/`,
      'service-desc': [{ href: `${baseUrl}/openapi.json`, type: 'application/json' }],
      'service-doc': [
        { href: `${baseUrl}/llms.txt`, type: 'text/plain' },
        { href: `${baseUrl}/`, type: 'text/html' },
      ],
      ...(sells && {
        'service-meta': [{ href: `${baseUrl}/.well-known/x402`, type: 'application/json' }],
      }),
      status: [{ href: `${baseUrl}/healthz`, type: 'application/json' }],
    },
  ],
});

const JSON_TYPE = 'application/json; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';

/** Paths of the pages that search engines may list. */
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

/** Serves the documents from which programs and people learn what this service is. */
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
    ...(payment && {
      '/.well-known/x402': () => json(paymentManifest(settings, payment)),
      // Some crawlers request the manifest only under this name.
      '/.well-known/x402.json': () => json(paymentManifest(settings, payment)),
    }),
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

  for (const [url, make] of Object.entries(documents)) {
    const document = madeOnce(baseUrl, make);
    app.get(url, { schema: { hide: true } }, async (request, reply) =>
      sendDocument(request, reply, document()),
    );
  }

  if (contactEmail !== null)
    app.get('/.well-known/security.txt', { schema: { hide: true } }, async (request, reply) =>
      sendDocument(request, reply, {
        type: TEXT_TYPE,
        body: securityTxt(baseUrl(), contactEmail, clock()),
      }),
    );
};

/**
 * Builds the JSON Schema at `REPORT_SCHEMA_PATH`: the schema of the report alone, with an example of each
 * field.
 */
const reportSchema = (baseUrl: string) => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: reportSchemaUrl(baseUrl),
  title: `Report, layout ${SCHEMA_VERSION}`,
  ...DescribedReport,
});

const DAY_MS = 86_400_000;

/** Number of days for which `security.txt` is valid. RFC 9116 §2.5.5 recommends less than a year. */
const VALID_DAYS = 180;

/** Builds `/.well-known/security.txt` (RFC 9116), which says whom to contact about a vulnerability. */
function securityTxt(baseUrl: string, contactEmail: string, now: number): string {
  // The time is rounded to the day, so that it is the same on every replica.
  const expires = new Date((Math.floor(now / DAY_MS) + VALID_DAYS) * DAY_MS).toISOString();
  return [
    `Contact: mailto:${contactEmail}`,
    `Expires: ${expires}`,
    'Preferred-Languages: en',
    `Canonical: ${baseUrl}/.well-known/security.txt`,
    '',
  ].join('\n');
}

/** Builds `/sitemap.xml`, which lists the pages that do not depend on a test. */
function sitemap(baseUrl: string, paths: readonly string[]): string {
  const urls = paths.map((path) => `  <url><loc>${escapeHtml(baseUrl + path)}</loc></url>`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...urls,
    '</urlset>',
    '',
  ].join('\n');
}

/** Builds `/robots.txt`: crawlers may read the pages, but not the tests. */
const robots = (baseUrl: string) =>
  `User-agent: *\nDisallow: /v1/tests\nDisallow: /t/\n\nSitemap: ${baseUrl}/sitemap.xml\n`;
