/**
 * Renders the comparison of a report with the previous one, and extracts from a report what such a comparison
 * needs: ids, states and points.
 *
 * @import { Finding, Report } from '../../../domain/report/report.ts'
 * @import { Direction, Standing } from '../../../domain/report/compare.mjs'
 * @import { StringKey } from '../texts.ts'
 * @import { Context } from './html.mjs'
 */
import { html } from './html.mjs';
import { compareStandings, scoreText, standingsOf } from './report-words.mjs';

/**
 * The part of a report that is kept, so that the next report can be compared with it.
 *
 * @typedef {object} Baseline
 * @property {string} score as `scoreText` writes it
 * @property {readonly (readonly [id: string, standing: Standing, points: number])[]} findings
 */

/** @param {Report} report @returns {Baseline} */
export const toBaseline = (report) => ({
  score: scoreText(report).score,
  findings: [...standingsOf(report.findings)].map(([id, standing]) => [
    id,
    standing,
    pointsOf(report.findings, id),
  ]),
});

/** @param {readonly Finding[]} findings @param {string} id */
const pointsOf = (findings, id) => findings.find((one) => one.id === id)?.points ?? 0;

/** @typedef {{ readonly id: string, readonly title: string, readonly before: Standing, readonly after: Standing, readonly direction: Direction, readonly points: readonly [before: number, after: number] }} Change */

/**
 * Returns whether a finding became better or worse. Different points at the same severity count as a change,
 * too.
 *
 * @param {Direction} direction
 * @param {Change['points']} points
 * @returns {Direction}
 */
const weigh = (direction, [before, after]) =>
  direction !== 'same' || before === after ? direction : after < before ? 'better' : 'worse';

/** @param {Baseline} baseline @param {Report} report @returns {readonly Change[]} */
function changesOf({ findings: before }, { findings }) {
  const standings = new Map(before.map(([id, standing]) => [id, standing]));
  const prices = new Map(before.map(([id, , points]) => [id, points]));
  return compareStandings(standings, standingsOf(findings)).map(
    ({ id, direction, ...standing }) => {
      /** @type {Change['points']} */
      const points = [prices.get(id) ?? 0, pointsOf(findings, id)];
      const title = findings.find((one) => one.id === id)?.title ?? id.replaceAll('_', ' ');
      return { id, title, ...standing, points, direction: weigh(direction, points) };
    },
  );
}

/** @param {Context} context @param {Standing} standing @param {number} points */
const stateText = ({ t }, standing, points) =>
  `${t(/** @type {StringKey} */ (standing === 'unknown' ? 'compare_unknown' : standing === null ? 'compare_absent' : `severity_${standing}`))}${points > 0 ? ` (−${points})` : ''}`;

/**
 * @param {Context} context
 * @param {Baseline} baseline
 * @param {Report} report
 */
export function comparisonView(context, baseline, report) {
  const { t, href } = context;
  const changes = changesOf(baseline, report);
  const { score } = scoreText(report);
  const difference = Number(score) - Number(baseline.score);
  /** @param {Change} change */
  const item = ({ id, title, before, after, points }) =>
    html`<li><a href="${href(`/findings/${id}`)}">${title}</a>: ${stateText(context, before, points[0])} → ${stateText(context, after, points[1])}</li>`;
  /** @param {StringKey} title @param {readonly Change[]} all */
  const group = (title, all) =>
    all.length > 0 && html`<h3>${t(title, { n: all.length })}</h3><ul>${all.map(item)}</ul>`;
  /** @param {Direction} direction */
  const gone = (direction) => changes.filter((one) => one.direction === direction);
  const same = gone('same');
  const left = same.filter(({ after }) => after === 'fail' || after === 'warn');
  return html`
<section class="panel comparison" aria-labelledby="comparison"><h2 id="comparison">${t('compare_title')}</h2>
<p><strong>${baseline.score} → ${score}</strong>${Number.isNaN(difference) ? '' : html` ${t(difference > 0 ? 'compare_better' : difference < 0 ? 'compare_worse' : 'compare_same', { n: Math.abs(difference) })}`}</p>
${group('compare_list_better', gone('better'))}
${group('compare_list_worse', gone('worse'))}
${group('compare_list_other', gone('other'))}
${left.length > 0 && html`<h3>${t('compare_list_left', { n: left.length })}</h3><p>${left.map(({ title }) => title).join(', ')}</p>`}
<p class="quiet">${t('compare_list_same', { n: same.length - left.length })}</p>
<p class="quiet no-print">${t('compare_help')} <button type="button" class="copy" data-forget>${t('forget')}</button></p></section>`;
}
