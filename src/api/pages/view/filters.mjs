/**
 * Renders the results of the operator's spam filters for an email.
 *
 * @import { Report } from '../../../domain/report/report.ts'
 * @import { Context } from './html.mjs'
 */
import { FILTER_LIMITS, filterTitle, filterVerdict, leftOutLine, signed } from './filter-words.mjs';
import { html } from './html.mjs';

/** @typedef {NonNullable<Report['filters']>[number]} Filter */

/** @param {Context} context @param {Report} report @param {NonNullable<Filter['rules']>[number]} rule */
function rule({ t }, { findings }, { name, points, about, finding, compared }) {
  const title = findings.find(({ id }) => id === finding)?.title;
  const relation = t(
    compared === 'agrees'
      ? 'opinion_agrees'
      : compared === 'contradicts'
        ? 'opinion_contradicts'
        : 'opinion_see',
  );
  return html`
<li><span class="opinion-points">${signed(points)}</span><div><code translate="no">${name}</code>${about && html`<span>${about}</span>`}
${title && html`<span class="quiet">${relation} <a href="#finding-${finding}">${title}</a></span>`}</div></li>`;
}

/** @param {Context} context @param {Report} report @param {Filter} filter */
function one(context, report, filter) {
  const { rules = [], left_out } = filter;
  return html`
<section class="opinion-filter"><h3>${filterTitle(filter)}</h3><p>${filterVerdict(filter)}</p>
${
  rules.length > 0 &&
  html`<details><summary>${context.t('opinion_rules', { n: rules.length })}</summary><ul class="opinion-rules">${rules.map((each) => rule(context, report, each))}</ul></details>`
}
${left_out && left_out.rules > 0 && html`<p class="quiet">${leftOutLine(left_out)}</p>`}</section>`;
}

/**
 * Renders the box beside the score with the results of someone else's spam filters. The box has none of our
 * colours, because nothing in it counts towards the score.
 *
 * @param {Context} context
 * @param {Report} report
 */
export const opinion = (context, report) => html`
<aside class="card opinion" aria-labelledby="opinion"><h2 id="opinion">${context.t('opinion_title')}</h2>
${(report.filters ?? []).map((filter) => one(context, report, filter))}
<p class="quiet">${FILTER_LIMITS}</p></aside>`;
