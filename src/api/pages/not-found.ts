import type { Page } from './layout.ts';
import type { Site } from './site.ts';
import { html } from './view/html.mjs';

/** What a browser gets where no page is. */
export const notFoundPage = ({ t, href }: Site): Page => ({
  path: '/',
  title: t('not_found_title'),
  description: t('not_found_description'),
  hidden: true,
  body: html`<h1>${t('not_found_title')}</h1><p class="lead">${t('not_found_text')}</p>
<p><a class="button primary" href="${href('/')}">${t('not_found_home')}</a></p>`,
});
