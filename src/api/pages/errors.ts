/**
 * Renders the page `/errors`, which explains the error codes that callers of this service can receive, and
 * builds the same list as JSON.
 */

import { errors, inboundErrors, paymentCodes } from '../../domain/errors.ts';
import type { ApiSettings } from '../options.ts';
import type { Page } from './layout.ts';
import type { Site } from './site.ts';
import { html } from './view/html.mjs';

/** Returns the errors that callers of this service can receive. */
const errorsMet = (settings: ApiSettings, hasProvider: boolean) => {
  const sells = settings.payment !== null;
  return Object.entries(errors).filter(
    ([code]) =>
      (sells || !paymentCodes.includes(code)) && (hasProvider || !(code in inboundErrors)),
  );
};

/** Returns the list of errors as JSON. */
export const errorsList = (settings: ApiSettings, hasProvider: boolean) => ({
  errors: errorsMet(settings, hasProvider).map(([code, { status, title }]) => ({
    ...{ code, status, title },
    type: `${settings.baseUrl()}/errors#${code}`,
  })),
});

/** Renders `/errors`, which explains the codes of problem documents; their `type` links to it. */
export function errorsPage(site: Site, settings: ApiSettings, hasProvider: boolean): Page {
  const { t } = site;
  const sells = settings.payment !== null;
  const rows = errorsMet(settings, hasProvider).map(
    ([code, { status, title }]) => html`
<tr id="${code}"><th scope="row"><code translate="no">${code}</code></th><td>${status}</td><td>${title}</td></tr>`,
  );
  return {
    path: '/errors',
    title: t('errors_title'),
    description: t('errors_description'),
    body: html`<div class="prose"><h1>${t('errors_title')}</h1><p class="lead">${t('errors_lead')}</p>${sells ? html`<p class="note">${t('errors_charge')}</p>` : ''}</div>
<table class="stack"><thead><tr><th scope="col">${t('errors_code')}</th><th scope="col">${t('errors_status')}</th><th scope="col">${t('errors_meaning')}</th></tr></thead><tbody>${rows}</tbody></table>`,
  };
}
