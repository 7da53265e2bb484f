import type { Report } from '../../domain/report/report.ts';
import { SERVICE } from '../discovery/manifest.ts';
import type { ApiSettings } from '../options.ts';
import type { Page } from './layout.ts';
import { offerOf, type PageOffer, type Site } from './site.ts';
import { areaName } from './view/findings.mjs';
import { html, stepsToPay } from './view/html.mjs';
import { scoreRing } from './view/score.mjs';

const preview = (site: Site, report: Report) => html`
<aside class="card preview" aria-label="${site.t('nav_sample')}">${scoreRing(site, report)}
<ol>${report.top_fixes.map(({ title }) => html`<li>${title}</li>`)}</ol>
<a href="${site.href('/sample')}">${site.t('see_sample')}</a></aside>`;

const getUsdc = (site: Site, { amount, network }: PageOffer) => html`
<details><summary>${site.t('get_usdc', { network })}</summary><p>${site.t('get_usdc_what')}</p><ol>${stepsToPay(site, { network, dollars: Number(amount) })}</ol><p>${site.t('get_usdc_last')}</p></details>`;

function start(site: Site, offer: PageOffer | null) {
  const { t, href } = site;
  return html`
<form class="start" method="post" action="${href('/')}" data-create><button class="primary">${t('create')}</button>
${offer ? html`<p>${t('create_note')} ${t('report_costs', { ...offer })}</p>` : html`<p class="quiet">${t('create_note_free')}</p>`}</form>
${offer && getUsdc(site, offer)}`;
}

/**
 * Renders the home page `/`: what the service does, a button to create a test, a preview of the sample
 * report, how a test works, what is checked, and what a report costs.
 */
export function homePage(site: Site, settings: ApiSettings, sample: Report): Page {
  const { t, href, baseUrl } = site;
  const { durations } = settings;
  const offer = offerOf(settings);
  const minutes = durations.receiveWindowSeconds / 60;
  const hours = durations.retentionSeconds / 3600;
  const areas = [...new Set(sample.findings.map(({ area }) => area))];
  return {
    path: '/',
    title: SERVICE,
    description: t('home_description'),
    modules: ['browser/home.mjs'],
    data: {
      '@type': 'WebApplication',
      name: SERVICE,
      url: `${baseUrl}/`,
      applicationCategory: 'DeveloperApplication',
      operatingSystem: 'Any',
      description: t('home_description'),
      ...(offer
        ? { offers: { '@type': 'Offer', price: offer.amount, priceCurrency: 'USD' } }
        : { isAccessibleForFree: true }),
    },
    body: html`
<div class="hero"><div><h1>${t('home_title')}</h1><p class="lead">${t('home_lead')}</p>
<p class="note" data-resume="${href('/t/')}" hidden>${t('resume')} <strong></strong> <a href="${href('/')}">${t('resume_link')}</a></p>${start(site, offer)}</div>${preview(site, sample)}</div>
<section aria-labelledby="how"><h2 id="how">${t('how_title')}</h2><ol class="how">
<li><h3>${t('how_1')}</h3><p>${t('how_1_text', { minutes })}</p></li>
<li><h3>${t('how_2')}</h3><p>${t('how_2_text')}</p></li>
<li><h3>${t('how_3')}</h3><p>${offer ? t('how_3_text', { ...offer }) : t('how_3_text_free')}</p></li></ol></section>
<section aria-labelledby="what"><h2 id="what">${t('what_title')}</h2><ul class="areas">${areas.map((area) => html`<li><a href="${href(`/findings#${area}`)}">${areaName(site, area)}</a></li>`)}</ul></section>
<section class="prose" aria-labelledby="mail"><h2 id="mail">${t('mail_title')}</h2><p>${t('mail_text', { hours })} <a href="${href('/privacy')}">${t('nav_privacy')}</a></p></section>
<section class="prose" aria-labelledby="programs"><h2 id="programs">${t('programs_title')}</h2><p>${t('programs_text')} <a href="${site.root}/llms.txt">llms.txt</a> · <a href="${site.root}/openapi.json">OpenAPI</a></p></section>`,
  };
}
