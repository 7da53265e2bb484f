/** Renders the catalogue of checks: the page `/findings`, and a page for each check. */

import type { About } from '../../analysis/definition.ts';
import { PLATFORMS, PLATFORMS_OF } from '../../domain/platforms.ts';
import type { Severity } from '../../domain/report/report.ts';
import { type describeFinding, type describeFindings, findCheck } from '../catalogue.ts';
import type { Page } from './layout.ts';
import type { Site } from './site.ts';
import type { StringKey } from './texts.ts';
import { areaName, sign } from './view/findings.mjs';
import { html } from './view/html.mjs';

type Finding = ReturnType<typeof describeFinding>;

const byArea = (findings: readonly Finding[]) => [...Map.groupBy(findings, ({ area }) => area)];

/** Renders `/findings`, which lists every check by area. */
export function findingsPage(site: Site, { findings }: ReturnType<typeof describeFindings>): Page {
  const { t, href } = site;
  const areas = byArea(findings).map(
    ([area, all]) => html`
<section class="index-area" aria-labelledby="${area}"><h2 id="${area}">${areaName(site, area)}</h2><ul class="index">${all.map(
      ({ id, title, about }) => html`
<li><a href="${href(`/findings/${id}`)}">${title}</a><span class="quiet">${about.what}</span></li>`,
    )}</ul></section>`,
  );
  return {
    path: '/findings',
    title: t('findings_page_title'),
    description: t('findings_page_description'),
    body: html`<div class="prose"><h1>${t('findings_page_title')}</h1><p class="lead">${t('findings_page_lead', { n: findings.length })}</p></div>${areas}`,
  };
}

const dkim = ({ dkim }: (typeof PLATFORMS)[number]) => dkim;
const spf = ({ include }: (typeof PLATFORMS)[number]) =>
  include === null
    ? 'Nothing to add: this platform uses its own domain for bounces.'
    : `Put include:${include} into the SPF record, before its last term.`;
const returnPath = ({ returnPath }: (typeof PLATFORMS)[number]) => returnPath;

const INSTRUCTIONS = { dkim, spf, return_path: returnPath } as const;

function platforms({ t }: Site, kind: About['platforms']) {
  if (kind === undefined) return html``;
  const instruct = INSTRUCTIONS[kind];
  const rows = PLATFORMS.flatMap((platform) => {
    const text = instruct(platform);
    return text === null
      ? []
      : [
          html`
<div><dt>${platform.name}</dt><dd>${text} <a href="${platform.source}" rel="noreferrer">${platform.name}<span class="visually-hidden"> documentation</span></a></dd></div>`,
        ];
  });
  return html`<section aria-labelledby="platforms"><h2 id="platforms">${t('finding_platforms')}</h2><p class="quiet">${t('finding_platforms_help', { day: PLATFORMS_OF })}</p><dl class="platforms">${rows}</dl></section>`;
}

const example = ({ t }: Site, { bad, good }: Finding['about']) => html`
<section aria-labelledby="examples"><h2 id="examples">${t('finding_examples')}</h2>
<div class="examples"><figure class="fail"><figcaption>${t('finding_bad')}</figcaption><pre tabindex="0"><code translate="no">${bad}</code></pre></figure>
<figure class="pass"><figcaption>${t('finding_good')}</figcaption><pre tabindex="0"><code translate="no">${good}</code></pre></figure></div></section>`;

/** Renders `/findings/{id}`, which explains one check. */
export function findingPage(site: Site, finding: Finding, related: readonly Finding[]): Page {
  const { t, href, baseUrl } = site;
  const { id, area, title, reference, states, about } = finding;
  const rows = states.map(
    ({ severity, points, score_cap, when }) => html`
<tr><th scope="row">${sign(site, severity as Severity)} ${t(`severity_${severity}` as StringKey)}</th><td>${points === 0 ? '0' : `−${points}`}${score_cap !== undefined && html`<br><span class="quiet">${t('finding_cap', { cap: score_cap })}</span>`}</td><td>${when}</td></tr>`,
  );
  return {
    path: `/findings/${id}`,
    title,
    description: `${about.what} ${about.why}`,
    data: {
      '@type': 'TechArticle',
      headline: title,
      description: about.what,
      inLanguage: 'en',
      url: `${baseUrl}/findings/${id}`,
    },
    body: html`<article class="prose finding-page"><p class="eyebrow"><a href="${href(`/findings#${area}`)}">${areaName(site, area)}</a></p><h1>${title}</h1>
<section aria-labelledby="what"><h2 id="what">${t('finding_what')}</h2><p>${about.what}</p></section>
<section aria-labelledby="why"><h2 id="why">${t('finding_why')}</h2><p>${about.why}</p></section>
<section aria-labelledby="how"><h2 id="how">${t('finding_how')}</h2><ol>${about.how.map((step) => html`<li>${step}</li>`)}</ol></section>
${example(site, about)}
${platforms(site, findCheck(id)?.about.platforms)}
<section aria-labelledby="cost"><h2 id="cost">${t('finding_results')}</h2>
<table class="stack"><thead><tr><th scope="col">${t('finding_result')}</th><th scope="col">${t('finding_points')}</th><th scope="col">${t('finding_when')}</th></tr></thead><tbody>${rows}</tbody></table></section>
<p class="quiet">${t('finding_reference')}: <span>${reference}</span> · <code translate="no">${id}</code></p>
<p class="note">${t('finding_test')} <a href="${href('/')}">${t('create')}</a></p>
<nav class="related" aria-labelledby="related"><h2 id="related">${t('finding_related', { area: areaName(site, area) })}</h2><ul>${related.filter((one) => one.id !== id).map((one) => html`<li><a href="${href(`/findings/${one.id}`)}">${one.title}</a></li>`)}</ul></nav></article>`,
  };
}
