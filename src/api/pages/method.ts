import type { describeMethod } from '../catalogue.ts';
import type { Page } from './layout.ts';
import { kindsTable, priceTable, requirementTable, signsTable } from './method-tables.ts';
import type { Site } from './site.ts';
import type { StringKey } from './texts.ts';
import { html } from './view/html.mjs';

const STEPS: readonly StringKey[] = [
  'method_step_1',
  'method_step_2',
  'method_step_3',
  'method_step_4',
  'method_step_5',
];

/** `/method`: how findings become a score. */
export function methodPage(site: Site, method: ReturnType<typeof describeMethod>): Page {
  const { t } = site;
  const grades = Object.entries(method.grades).map(
    ([grade, from]) => html`
<li><strong class="grade grade-${grade.toLowerCase()}">${grade}</strong><span>${t(`verdict_${grade}` as StringKey)}</span><span class="quiet">${t('method_from', { n: from })}</span></li>`,
  );
  const caps = Object.entries(method.family_caps)
    .sort(([, a], [, b]) => b - a)
    .map(
      ([family, cap]) => html`
<tr><th scope="row">${t(`family_${family}` as StringKey)}</th><td>${cap === 0 ? t('method_none') : cap}</td></tr>`,
    );
  return {
    path: '/method',
    title: t('method_title'),
    description: t('method_description'),
    body: html`<div class="prose"><h1>${t('method_title')}</h1><p class="lead">${t('method_lead')}</p>
<h2>${t('method_grades')}</h2><ul class="grades">${grades}</ul>
<h2>${t('method_steps')}</h2><ol>${STEPS.map((step) => html`<li>${t(step, { cap: method.any_fail_cap })}</li>`)}</ol>
<h2>${t('method_caps')}</h2><p>${t('method_caps_help')}</p>
<table><thead><tr><th scope="col">${t('method_group')}</th><th scope="col">${t('finding_points')}</th></tr></thead><tbody>${caps}</tbody></table>
${priceTable(site)}
${kindsTable(site)}
${signsTable(site)}
${requirementTable(site)}
<h2>${t('method_not')}</h2><p>${t('method_not_text')}</p></div>`,
  };
}
