/**
 * Renders the page `/privacy`, which says which data is kept, where and for how long, and names the tests
 * that prove it.
 */

import type { ApiSettings } from '../options.ts';
import type { Page } from './layout.ts';
import type { Site } from './site.ts';
import type { StringKey } from './texts.ts';
import { html } from './view/html.mjs';

/**
 * Each kind of data that is kept, with the file in the folder `test` whose tests fail if the page's statement
 * about it is false.
 */
const ROWS: readonly { readonly key: string; readonly test: string }[] = [
  { key: 'mail', test: 'service/canary.int.test.ts' },
  { key: 'report', test: 'actors/eraser.test.ts' },
  { key: 'test', test: 'actors/eraser.test.ts' },
  { key: 'token', test: 'api/pages/browser.int.test.ts' },
  { key: 'address', test: 'api/rate-limits.test.ts' },
  { key: 'browser', test: 'api/pages/live.int.test.ts' },
];

/** Renders the page `/privacy`. */
export function privacyPage(site: Site, settings: ApiSettings): Page {
  const { t } = site;
  const hours = settings.durations.retentionSeconds / 3600;
  const paid = settings.payment !== null;
  const text = (name: string) => t(name as StringKey, { hours });
  const rows = [...ROWS, ...(paid ? [{ key: 'payment', test: 'actors/settler.test.ts' }] : [])].map(
    ({ key, test }) => html`
<tr><th scope="row"><strong>${text(`privacy_${key}`)}</strong></th><td>${text(`privacy_${key}_kept`)}</td><td><code translate="no" class="path">test${test.split('/').map((part) => html`/<wbr>${part}`)}</code></td></tr>`,
  );
  return {
    path: '/privacy',
    title: t('privacy_title'),
    description: t('privacy_description', { hours }),
    modules: ['browser/page.mjs'],
    body: html`<div class="prose"><h1>${t('privacy_title')}</h1><p class="lead">${t('privacy_lead', { hours })}</p></div>
<table class="stack"><thead><tr><th scope="col">${t('privacy_what')}</th><th scope="col">${t('privacy_kept')}</th><th scope="col">${t('privacy_proof')}</th></tr></thead><tbody>${rows}</tbody></table>
<div class="prose"><h2>${t('privacy_page')}</h2><ul><li>${t('privacy_page_1')}</li><li>${t('privacy_page_2')}</li><li>${t('privacy_page_3')}</li><li>${t('privacy_page_4')}</li></ul>
${settings.asksFilters === true && html`<h2>${t('privacy_filters')}</h2><p>${t('privacy_filters_text')}</p>`}
${paid && html`<h2>${t('privacy_pay')}</h2><p>${t('privacy_pay_text')}</p>`}
${settings.contactEmail !== null && html`<p>${t('privacy_contact')} <a href="mailto:${settings.contactEmail}">${settings.contactEmail}</a></p>`}</div>`,
  };
}
