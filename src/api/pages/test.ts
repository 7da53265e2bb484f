import type { ApiSettings } from '../options.ts';
import { assets } from './assets.ts';
import { threeCalls } from './home.ts';
import type { Page } from './layout.ts';
import { priceOf } from './price.ts';
import type { Site } from './site.ts';
import { html } from './view/html.mjs';

/** What draws a report is fetched when there is one. */
const LATER =
  /^(browser\/(home|history|report-page)|view\/(?!html|context|copy-button)[\w-]+)\.mjs$/;

/** What the page of a test imports: fetched at once, and not one after the other. */
const preloaded = [...assets.keys()].filter(
  (name) => /^(browser|view)\//.test(name) && !LATER.test(name),
);

/** `/t/{test_id}#{read_token}`: a frame that the browser fills. The server learns nothing but the id. */
export function testPage(site: Site, settings: ApiSettings): Page {
  const { t, asset } = site;
  const price = priceOf(settings);
  return {
    path: '/t/',
    title: t('test_title'),
    description: t('test_description'),
    hidden: true,
    modules: ['browser/test.mjs'],
    body: html`
${preloaded.map(
  (name) => html`<link rel="modulepreload" href="${asset(name)}">
`,
)}<link rel="modulepreload" href="${asset(`strings.mjs`)}">
<p class="visually-hidden" role="status" data-status></p>
<div class="note warn no-print" data-offline hidden>${t('offline')}</div>
<div class="stage" data-test data-mail-domain="${settings.mailDomain}"${price !== null && html` data-sells`}><noscript><h1>${t('noscript_title')}</h1><p>${t('noscript_text')}</p>${threeCalls(site, price)}<p>${t('noscript_ids')}</p><p><a href="${site.href('/sample')}">${t('see_sample')}</a></p></noscript></div>`,
  };
}
