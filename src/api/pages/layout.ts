/**
 * Renders a whole HTML page: the head, navigation and footer that all pages share, around the body of one
 * page.
 */

import { assets, withImports } from './assets.ts';
import type { Site } from './site.ts';
import { signs } from './view/findings.mjs';
import { type Html, html } from './view/html.mjs';

/** The parts of a page that differ from other pages. */
export interface Page {
  /** Path of the page below the prefix; together they form its canonical URL. */
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly body: Html;
  /** Browser modules that the page runs, as names of assets. */
  readonly modules?: readonly string[];
  /** A module that runs as soon as it has come, before the style sheet and the other modules have. */
  readonly first?: string;
  /** Modules that the page's scripts will probably load immediately. */
  readonly soon?: readonly string[];
  /** Modules that the page's scripts load only when they are needed. */
  readonly later?: readonly string[];
  /** Structured data for search engines (schema.org). */
  readonly data?: object;
  /** True to hide the page from search engines, because it is about one test. */
  readonly hidden?: boolean;
}

/** The icon, which is part of the page itself, because that saves a request. */
const icon: Html = {
  markup: (assets.get('icon.svg')?.body ?? '')
    .trim()
    .replace('<svg ', '<svg width="28" height="28" aria-hidden="true" '),
};

/** Formats JSON so that it can be put into a page: it cannot contain `</script>`. */
const inline = (value: object): Html => ({
  markup: JSON.stringify(value).replaceAll('<', '\\u003c'),
});

/** Renders preload links, so that the browser fetches the modules together instead of one after another. */
const links = ({ asset }: Site, modules: Iterable<string>) =>
  [...modules].map(
    (name) => html`<link rel="modulepreload" href="${asset(name)}">
`,
  );

function head(site: Site, page: Page) {
  const {
    path,
    title,
    description,
    modules = [],
    first,
    soon = [],
    later = [],
    data,
    hidden,
  } = page;
  const { t, baseUrl, asset, root } = site;
  const canonical = baseUrl + path;
  const named = [...(first ? [first] : []), ...modules, ...soon];
  const atOnce = new Set(named.flatMap((name) => [...withImports(name)]));
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
)}${links(site, atOnce)}${later.map(
  (name) => html`<template data-imports="${name}">${links(
    site,
    [...withImports(name)].filter((one) => one !== name && !atOnce.has(one)),
  )}</template>
`,
)}${data && html`<script type="application/ld+json">${inline({ '@context': 'https://schema.org', ...data })}</script>`}`;
}

/** Renders a whole page. */
export function renderPage(site: Site, page: Page): string {
  const { t, href, root } = site;
  return html`<!doctype html>
<html lang="en" data-root="${root}" data-assets="${site.asset('')}">
<head>
${head(site, page)}
</head>
<body>
<a class="skip" href="#main">${t('skip')}</a>
<header class="top"><a class="brand" href="${href('/')}">${icon}${t('service')}</a>
<nav aria-label="${t('nav_label')}"><a href="${href('/sample')}">${t('nav_sample')}</a> <a href="${href('/findings')}">${t('nav_findings')}</a> <a href="${href('/method')}">${t('nav_method')}</a></nav></header>
${signs}
<main id="main" tabindex="-1">
${page.body}
</main>
${page.first && html`<script type="module" src="${site.asset(page.first)}" async></script>`}
<footer class="bottom"><p>${t('foot_privacy')} <a href="${href('/privacy')}">${t('foot_privacy_link')}</a>.</p>
<nav aria-label="${t('foot_label')}"><a href="${href('/privacy')}">${t('nav_privacy')}</a> <a href="${href('/errors')}">${t('nav_errors')}</a> <a href="${root}/llms.txt">${t('nav_api')}</a> <a href="${root}/openapi.json">${t('nav_openapi')}</a></nav></footer>
</body>
</html>
`.markup;
}
