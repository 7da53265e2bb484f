import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../domain/errors.ts';
import { isTestId } from '../../domain/ids.ts';
import { renderPage } from '../pages/layout.ts';
import { siteOf } from '../pages/site.ts';
import { liveTest, noticeOf, testPage, unpaidTest } from '../pages/test.ts';
import { html } from '../pages/view/html.mjs';
import { reportView } from '../pages/view/report.mjs';
import type { GuardedOptions } from '../plugins/rate-limits.ts';
import { fitsHash } from '../read-token.ts';
import { createTest, newStatus } from './create-test.ts';
import { findRow } from './find-row.ts';
import { madeOnce, sendDocument } from './send-document.ts';
import { toStatus } from './test-status.ts';

const HTML = 'text/html; charset=utf-8';

type Known = NonNullable<Parameters<typeof testPage>[2]>;
type OfTest = { Params: { test_id: string }; Body: unknown };

/**
 * Serves the page of a test: creates a test from the form of the home page, serves the frame that the browser
 * fills, and shows a test whose key comes in a form, which works without scripts. The key of the test is only
 * ever in bodies, so that no URL, log, Referer or history contains it.
 */
export const testPages: FastifyPluginAsync<GuardedOptions> = async (app, options) => {
  const { settings, settler, misuse } = options;
  const hidden = { schema: { hide: true } };

  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: FastifyRequest, body: string) => new URLSearchParams(body),
  );

  const render = (known?: Known) =>
    renderPage(siteOf(settings), testPage(siteOf(settings), settings, known));

  const send = (reply: FastifyReply, known: Known | undefined, code = 200) =>
    reply
      .code(code)
      .header('cache-control', 'no-store')
      .type(HTML)
      .serializer(String)
      .send(render(known));

  app.post(
    '/',
    { ...hidden, config: { maxPerMinute: settings.rateLimits.create, isPage: true } },
    async ({ id, log, ip }, reply) => {
      const { testId, readToken, event } = await createTest(options, ip);
      log.info({ request: id, test_id: testId }, 'test created');
      const status = newStatus(testId, event);
      return send(reply, liveTest(siteOf(settings), settings, status, readToken));
    },
  );

  /** The page is the same for every test, because only the browser knows which test it is about. */
  const frame = madeOnce(settings.baseUrl, () => ({ type: HTML, body: render() }));
  app.get<OfTest>(
    '/t/:test_id',
    { ...hidden, config: { isPage: true } },
    async (request, reply) => {
      toTestId(request.params.test_id);
      return sendDocument(request, reply, frame());
    },
  );

  app.post<OfTest>(
    '/t/:test_id',
    { ...hidden, config: { isPage: true } },
    async (request, reply) => {
      const { params, body } = request;
      const token = body instanceof URLSearchParams && keyIn(body.get('read_token') ?? '');
      // When the page is loaded again, a browser may repeat the form that created the test. That form
      // contains no key.
      if (!token) return send(reply, undefined);
      return show(request, reply, toTestId(params.test_id), token);
    },
  );

  async function show(request: FastifyRequest, reply: FastifyReply, id: string, token: string) {
    const site = siteOf(settings);
    const row = await findRow(options, request, id);
    if (!row) return send(reply, noticeOf(site, id, 'unknown_title', 'unknown_text'), 404);
    if (!fitsHash(token, row.context.tokenSha256)) {
      misuse.wrongToken(request, id);
      return send(reply, noticeOf(site, id, 'key_wrong_title', 'key_wrong_text'), 403);
    }
    if (row.status !== 'ready') {
      const status = toStatus(id, row, settings.durations, settings.payment !== null);
      return send(reply, liveTest(site, settings, status));
    }
    try {
      const { ip } = request;
      const { report } = await settler.read({ testId: id, row, ip, paymentHeader: undefined });
      return send(reply, { id, stage: html`${reportView(site, report)}` });
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'payment_required') throw error;
      return send(reply, unpaidTest(site, settings, id));
    }
  }
};

/**
 * Returns the text as a test id.
 * @throws ServiceError `not_found` if no test can have such an id
 */
function toTestId(text: string) {
  if (isTestId(text)) return text;
  throw new ServiceError('not_found');
}

/** Returns the key in what a reader pasted: the key itself, the key with its # sign, or the whole link. */
const keyIn = (pasted: string) => pasted.replace(/^.*#/s, '').trim();
