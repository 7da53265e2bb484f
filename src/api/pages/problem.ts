import type { Page } from './layout.ts';
import type { Site } from './site.ts';
import { html, type Problem, problemText } from './view/html.mjs';

/**
 * Renders the page that a browser gets instead of a problem document, for example because the requested page
 * does not exist.
 */
export function problemPage({ t, href }: Site, problem: Problem): Page {
  const missing = problem.code === 'not_found';
  const title = t(missing ? 'not_found_title' : 'read_failed_title');
  return {
    path: '/',
    title,
    description: t('not_found_description'),
    hidden: true,
    body: html`<h1>${title}</h1><p class="lead">${missing ? t('not_found_text') : problemText(t, problem)}</p>
<p><a class="button primary" href="${href('/')}">${t('not_found_home')}</a></p>`,
  };
}
