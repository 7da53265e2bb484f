import { publicErrors } from '../../domain/errors.ts';
import type { Page } from './layout.ts';
import type { Site } from './site.ts';
import { html } from './view/html.mjs';

/** `/errors`: what the codes of problem documents mean; their `type` leads here. */
export function errorsPage(site: Site): Page {
  const { t } = site;
  const rows = Object.entries(publicErrors).map(
    ([code, { status, title }]) => html`
<tr id="${code}"><th scope="row"><code>${code}</code></th><td>${status}</td><td lang="en">${title}</td></tr>`,
  );
  return {
    path: '/errors',
    title: t('errors_title'),
    description: t('errors_description'),
    body: html`<div class="prose"><h1>${t('errors_title')}</h1><p class="lead">${t('errors_lead')}</p><p class="note">${t('errors_charge')}</p></div>
<table><thead><tr><th scope="col">${t('errors_code')}</th><th scope="col">${t('errors_status')}</th><th scope="col">${t('errors_meaning')}</th></tr></thead><tbody>${rows}</tbody></table>`,
  };
}
