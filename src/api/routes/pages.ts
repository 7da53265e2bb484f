import type { FastifyPluginAsync } from 'fastify';
import type { ApiOptions } from '../options.ts';
import { errorsList, errorsPage } from '../pages/errors.ts';
import { homePage } from '../pages/home.ts';
import { type Page, renderPage } from '../pages/layout.ts';
import { privacyPage } from '../pages/privacy.ts';
import { samplePage } from '../pages/sample.ts';
import { type Site, siteOf } from '../pages/site.ts';
import { madeOnce, prefersJson, sendDocument } from './send-document.ts';

/** Serves the pages `/`, `/sample`, `/errors` (also as JSON) and `/privacy`. */
export const pageRoutes: FastifyPluginAsync<
  Pick<ApiOptions, 'settings' | 'sampleReport' | 'inbound'>
> = async (app, { settings, sampleReport, inbound = [] }) => {
  const pages: Readonly<Record<string, (site: Site) => Page>> = {
    '/': (site) => homePage(site, settings, sampleReport),
    '/sample': (site) => samplePage(site, sampleReport),
    '/errors': (site) => errorsPage(site, settings, inbound.length > 0),
    '/privacy': (site) => privacyPage(site, settings),
  };

  const list = () => ({
    type: 'application/json; charset=utf-8',
    body: JSON.stringify(errorsList(settings, inbound.length > 0)),
  });
  for (const [url, toPage] of Object.entries(pages)) {
    const page = madeOnce(settings.baseUrl, () => {
      const site = siteOf(settings);
      return { type: 'text/html; charset=utf-8', body: renderPage(site, toPage(site)) };
    });
    app.get(url, { schema: { hide: true } }, async (request, reply) =>
      sendDocument(request, reply, url === '/errors' && prefersJson(request) ? list() : page()),
    );
  }
};
