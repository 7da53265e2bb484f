import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { ApiOptions } from '../options.ts';
import { errorsList, errorsPage } from '../pages/errors.ts';
import { homePage } from '../pages/home.ts';
import { type Page, renderPage } from '../pages/layout.ts';
import { privacyPage } from '../pages/privacy.ts';
import { samplePage } from '../pages/sample.ts';
import { type Site, siteOf } from '../pages/site.ts';
import { type Document, prefersJson, sendDocument } from './send-document.ts';

/** What people see, apart from the catalogue, which programs read under the same addresses. */
export const pageRoutes: FastifyPluginAsync<
  Pick<ApiOptions, 'settings' | 'sampleReport' | 'inbound'>
> = async (app, { settings, sampleReport, inbound = [] }) => {
  const pages: Readonly<Record<string, (site: Site) => Page>> = {
    '/': (site) => homePage(site, settings, sampleReport),
    '/sample': (site) => samplePage(site, sampleReport),
    '/errors': (site) => errorsPage(site, settings, inbound.length > 0),
    '/privacy': (site) => privacyPage(site, settings),
  };

  /** Made once: they depend on the settings alone. */
  const made = new Map<string, Document>();
  const send = (url: string) => (request: FastifyRequest, reply: FastifyReply) => {
    const site = siteOf(settings);
    const key = url + site.baseUrl;
    const document = made.get(key) ?? {
      type: 'text/html; charset=utf-8',
      body: renderPage(site, (pages[url] as (site: Site) => Page)(site)),
    };
    made.set(key, document);
    return sendDocument(request, reply, document);
  };
  const hidden = { schema: { hide: true } };
  for (const url of Object.keys(pages)) {
    const sendPage = send(url);
    app.get(url, hidden, async (request, reply) =>
      url === '/errors' && prefersJson(request)
        ? sendDocument(request, reply, {
            type: 'application/json; charset=utf-8',
            body: JSON.stringify(errorsList(settings, inbound.length > 0)),
          })
        : sendPage(request, reply),
    );
  }
};
