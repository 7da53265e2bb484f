/**
 * Assembles the whole view of a report from its parts, such as the score, the fixes and the findings.
 *
 * @import { Report } from '../../../domain/report/report.ts'
 * @import { StringKey } from '../texts.ts'
 * @import { Context } from './html.mjs'
 * @import { Html } from './html.mjs'
 */

import { kind, lookups, mailFacts, routeDrawing } from './facts.mjs';
import { areaStrip, findingList, receivers } from './findings.mjs';
import { fixes } from './fixes.mjs';
import { formatInstant, html } from './html.mjs';
import { scoreText } from './report-words.mjs';
import { breakdown, scoreRing } from './score.mjs';
import { senderDrawing } from './sender-drawing.mjs';

/**
 * Links to the sections that every report has. @type {readonly (readonly [id: string, text: StringKey])[]}
 */
const JUMPS = [
  ['fixes', 'jump_fixes'],
  ['why-score', 'jump_score'],
  ['areas', 'areas'],
  ['receivers', 'jump_receivers'],
  ['findings', 'jump_findings'],
];

/**
 * Renders a report for people. The server uses it for the sample, and the browser for every other report.
 *
 * @param {Context} context
 * @param {Report} report
 * @param {{ readonly actions?: Html, readonly comparison?: Html, readonly opinion?: Html, readonly raw?: Html
 * }} [parts] parts that only the reader's own report has
 */
export function reportView(context, report, { actions, comparison, opinion, raw } = {}) {
  const { t, href } = context;
  const { grade, findings, top_fixes, message, received_at, notes } = report;
  const bad = findings.filter(({ severity }) => severity === 'fail' || severity === 'warn').length;
  const { grade: grades, isOpen } = scoreText(report);
  const verdict =
    isOpen && grades !== grade ? t('verdict_open', { grade: grades }) : t(`verdict_${grade}`);
  return html`
<article class="report">
<header class="report-head">${scoreRing(context, report)}
<div><p class="eyebrow">${t('report_of', { domain: message.header_from.domain ?? t('unknown') })}</p>
<h1>${verdict}</h1>
<p class="lead">${bad === 0 ? t('summary_clean', { n: findings.length }) : t('summary', { n: findings.length, bad })}${bad > 0 && top_fixes.length > 0 && ` ${t('summary_start', { top: top_fixes.length })}`}</p>
<p class="quiet">${t('measured')} <a href="${href('/method#not')}">${t('measured_link')}</a></p>
<p class="quiet">${t('received', { at: formatInstant(context, received_at) })}</p>
${actions ?? ''}</div>${opinion ?? ''}</header>
${comparison ?? ''}
<nav class="jump no-print" id="contents" aria-label="${t('jump_label')}">${JUMPS.map(([id, text]) => html`<a href="#${id}">${t(text)}</a>`)}</nav>
${fixes(context, report)}
${breakdown(context, report)}
${areaStrip(context, report)}
${senderDrawing(context, report)}
${routeDrawing(context, report)}
${kind(context, report)}
${receivers(context, report)}
${findingList(context, report)}
${lookups(context, report)}
${mailFacts(context, report)}
${notes.length > 0 && html`<details class="panel"><summary><h2>${t('notes_title')}</h2></summary><ul>${notes.map((note) => html`<li>${note}</li>`)}</ul></details>`}
${raw ?? ''}
<p class="jump no-print"><a href="#contents">${t('jump_back')}</a></p>
</article>`;
}
