import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../domain/errors.ts';
import { describeFinding, describeFindings, describeMethod, findCheck } from '../catalogue.ts';
import type { ApiOptions } from '../options.ts';
import { findingPage, findingsPage } from '../pages/findings.ts';
import { type Page, renderPage } from '../pages/layout.ts';
import { methodPage } from '../pages/method.ts';
import { type Site, siteOf } from '../pages/site.ts';
import { answer, problems, ref } from '../schemas/answers.ts';
import { prefersHtml, sendDocument } from './send-document.ts';

const json = (value: unknown) => ({
  type: 'application/json; charset=utf-8',
  body: JSON.stringify(value),
});
const page = (body: string) => ({ type: 'text/html; charset=utf-8', body });

/**
 * Serves everything that can be read without a test, as JSON or as pages: the findings, the scoring method
 * and a sample report.
 */
export const catalogueRoutes: FastifyPluginAsyncTypebox<
  Pick<ApiOptions, 'settings' | 'sampleReport'>
> = async (app, { settings, sampleReport }) => {
  const { baseUrl } = settings;
  const ok = (description: string, id: string) => ({
    200: answer(description, { 'application/json': ref(id) }),
    ...problems('rate_limited', 'internal_error'),
  });

  const send = <T>(
    request: FastifyRequest,
    reply: FastifyReply,
    value: T,
    toPage: (site: Site, value: T) => Page,
  ) => {
    if (!prefersHtml(request)) return sendDocument(request, reply, json(value));
    const site = siteOf(settings);
    return sendDocument(request, reply, page(renderPage(site, toPage(site, value))));
  };

  app.get(
    '/sample-report.json',
    {
      schema: {
        operationId: 'getSampleReport',
        summary: 'A sample report',
        description: 'The report on a made-up email. Free.',
        tags: ['catalogue'],
        response: ok('The sample.', 'Report'),
      },
    },
    async (request, reply) => sendDocument(request, reply, json(sampleReport)),
  );

  app.get(
    '/findings',
    {
      schema: {
        operationId: 'listFindings',
        summary: 'All findings',
        description: 'Every finding that a report can have, with its states. Free.',
        tags: ['catalogue'],
        response: ok('The catalogue.', 'Catalogue'),
      },
    },
    async (request, reply) => send(request, reply, describeFindings(baseUrl()), findingsPage),
  );

  app.get(
    '/findings/:id',
    {
      schema: {
        operationId: 'getFinding',
        summary: 'One finding',
        description:
          'What one check looks at, what each of its states costs, and what to do. Free.',
        tags: ['catalogue'],
        params: Type.Object({
          id: Type.String({ description: 'The id of a finding.', examples: ['spf_record'] }),
        }),
        response: { ...ok('The finding.', 'CatalogueEntry'), ...problems('not_found') },
      },
    },
    async (request, reply) => {
      const check = findCheck(request.params.id);
      if (!check) throw new ServiceError('not_found', { detail: '/findings lists all ids.' });
      const finding = describeFinding(check, baseUrl());
      const related = describeFindings(baseUrl()).findings.filter(
        ({ area }) => area === check.area,
      );
      return send(request, reply, finding, (site) => findingPage(site, finding, related));
    },
  );

  app.get(
    '/method',
    {
      schema: {
        operationId: 'getMethod',
        summary: 'How the score is computed',
        description: 'How findings become a score and a grade, with all numbers. Free.',
        tags: ['catalogue'],
        response: ok('The method.', 'Method'),
      },
    },
    async (request, reply) => send(request, reply, describeMethod(baseUrl()), methodPage),
  );
};
