/**
 * Renders the score of a report, and how it was calculated.
 *
 * @import { Report } from '../../../domain/report/report.ts'
 * @import { Context } from './html.mjs'
 * @import { StringKey } from '../texts.ts'
 */
import { html } from './html.mjs';
import { gradeOf, scoreText } from './report-words.mjs';

/**
 * Draws the score as a ring: the certain part in full colour, and what unknown results could cost in a pale
 * one. Its label states the same score for screen readers.
 *
 * @param {Context} context
 * @param {Pick<Report, 'score' | 'grade' | 'score_breakdown'>} report
 */
export function scoreRing({ t }, report) {
  const { score, grade, isOpen, lowest } = scoreText(report);
  /** @param {string} part @param {number} length */
  const arc = (part, length) =>
    html`<circle class="ring-${part}" cx="60" cy="60" r="52" pathLength="100" stroke-dasharray="${length} 100" transform="rotate(-90 60 60)"/>`;
  return html`
<svg class="ring grade-${gradeOf(lowest).toLowerCase()}" viewBox="0 0 120 120" role="img" aria-label="${t('score_label', { score, grade })}">
<circle class="ring-track" cx="60" cy="60" r="52"/>
${isOpen && arc('open', report.score)}${arc('value', lowest)}
<text class="ring-score${isOpen ? ' ring-range' : ''}" x="60" y="66" text-anchor="middle">${score}</text>
<text class="ring-grade" x="60" y="88" text-anchor="middle">${t('grade')} ${grade}</text>
</svg>`;
}

/** @param {Context} context @param {string} family */
const familyName = ({ t }, family) => t(/** @type {StringKey} */ (`family_${family}`));

/**
 * Draws a bar that shows how many of the possible points were lost. Widths are attributes, because the
 * content security policy forbids inline styles.
 *
 * @param {number} points
 * @param {number} limit
 */
const bar = (points, limit) => html`
<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
<rect class="bar-track" width="100" height="8"/>
<rect class="bar-value" width="${limit === 0 ? 0 : Math.round((100 * Math.min(points, limit)) / limit)}" height="8"/>
</svg>`;

/**
 * Explains the score: a bar for each family of checks that costs points, the cap, and what is unknown.
 *
 * @param {Context} context
 * @param {Report} report
 */
export function breakdown(context, report) {
  const { t, href } = context;
  const { score_breakdown, findings } = report;
  if (!score_breakdown) return html``;
  const { score, isOpen, lowest } = scoreText(report);
  const { families, sum, cap, unknown } = score_breakdown;
  /** @param {string} id */
  const link = (id) =>
    html`<a href="${href(`/findings/${id}`)}">${findings.find((one) => one.id === id)?.title ?? id}</a> `;
  const rows = [...families]
    .sort((a, b) => b.points - a.points)
    .map(
      ({ family, points, limit, findings: ids }) => html`
<li><span class="bar-name">${familyName(context, family)}</span><span class="bar-points">−${points}<span class="quiet"> ${t('of_at_most', { limit })}</span></span>
${bar(points, limit)}
<span class="bar-why quiet">${ids.map(link)}</span></li>`,
    );
  return html`
<section class="panel" aria-labelledby="why-score">
<h2 id="why-score">${t('why_score', { score })}</h2>
${rows.length === 0 ? html`<p>${t('nothing_lost')}</p>` : html`<p class="quiet">${t(sum < 0 ? 'why_score_floor' : 'why_score_sum', { sum, lost: 100 - sum })}</p><ul class="bars">${rows}</ul>`}
${cap && cap.value < sum && html`<p class="note warn"><strong>${t('cap', { value: cap.value })}</strong> ${t('cap_by')} ${cap.findings.map(link)}</p>`}
${unknown && isOpen && html`<p class="note">${t('unknown_could_cost', { lowest })} ${unknown.findings.map(link)}</p>`}
<p class="quiet"><a href="${href('/method')}">${t('how_score_works')}</a></p>
</section>`;
}
