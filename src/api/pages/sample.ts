import type { Report } from '../../domain/report/report.ts';
import type { Page } from './layout.ts';
import type { Site } from './site.ts';
import { html } from './view/html.mjs';
import { reportView } from './view/report.mjs';

/** Renders `/sample`: the report on a made-up email, in the form in which people see their own report. */
export const samplePage = (site: Site, report: Report): Page => ({
  path: '/sample',
  title: site.t('sample_title'),
  description: site.t('sample_description'),
  modules: ['browser/page.mjs'],
  body: html`<p class="note">${site.t('sample_note')} <a href="${site.root}/sample-report.json">${site.t('raw_json')}</a></p>
${reportView(site, report)}`,
});
