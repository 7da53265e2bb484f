import type { Site } from './site.ts';
import { signs } from './view/findings.mjs';
import { type Html, html } from './view/html.mjs';

/** What a page has of its own. */
export interface Page {
  /** Its path below the prefix: its one canonical address. */
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly body: Html;
  /** Modules of the browser that it needs, as names of assets. */
  readonly modules?: readonly string[];
  /** For search engines (schema.org). */
  readonly data?: object;
  /** Not for search engines: it is about one test. */
  readonly hidden?: boolean;
}

/** JSON in a page: `</script>` cannot stand in it. */
const inline = (value: object): Html => ({
  markup: JSON.stringify(value).replaceAll('<', '\\u003c'),
});

function head(site: Site, { path, title, description, modules = [], data, hidden }: Page) {
  const { t, baseUrl, asset, root } = site;
  const canonical = baseUrl + path;
  const whole = title === t('service') ? title : `${title} – ${t('service')}`;
  return html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${whole}</title>
<meta name="description" content="${description}">
${
  hidden
    ? html`<meta name="robots" content="noindex">`
    : html`<link rel="canonical" href="${canonical}">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:type" content="website">
<meta property="og:url" content="${canonical}">
<meta property="og:image" content="${baseUrl}/icon.svg">`
}
<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="${asset('style.css')}">
<link rel="icon" href="${root}/icon.svg" type="image/svg+xml">
${modules.map(
  (name) => html`<script type="module" src="${asset(name)}"></script>
`,
)}${data && html`<script type="application/ld+json">${inline({ '@context': 'https://schema.org', ...data })}</script>`}`;
}

/** A whole page. */
export function renderPage(site: Site, page: Page): string {
  const { t, href, root } = site;
  return html`<!doctype html>
<html lang="en" data-root="${root}" data-assets="${site.asset('')}">
<head>
${head(site, page)}
</head>
<body>
<a class="skip" href="#main">${t('skip')}</a>
<header class="top"><a class="brand" href="${href('/')}"><img src="${root}/icon.svg" alt="" width="28" height="28">${t('service')}</a>
<nav aria-label="${t('nav_label')}"><a href="${href('/sample')}">${t('nav_sample')}</a> <a href="${href('/findings')}">${t('nav_findings')}</a> <a href="${href('/method')}">${t('nav_method')}</a></nav></header>
${signs}
<main id="main" tabindex="-1">
${page.body}
</main>
<footer class="bottom"><p>${t('foot_privacy')} <a href="${href('/privacy')}">${t('foot_privacy_link')}</a>.</p>
<nav aria-label="${t('foot_label')}"><a href="${href('/privacy')}">${t('nav_privacy')}</a> <a href="${href('/errors')}">${t('nav_errors')}</a> <a href="${root}/llms.txt">${t('nav_api')}</a> <a href="${root}/openapi.json">${t('nav_openapi')}</a></nav></footer>
</body>
</html>
`.markup;
}
