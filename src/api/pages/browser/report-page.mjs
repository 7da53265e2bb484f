/**
 * A report of one's own: what its buttons do, and where its reader was.
 *
 * @import { Report } from '../../../domain/report/report.ts'
 * @import { TestStatus } from '../../schemas/tests.ts'
 * @import { Html } from '../view/html.mjs'
 * @import { Last } from './history.mjs'
 */
import { html, problemText } from '../view/html.mjs';
import { deadline } from '../view/live.mjs';
import { reportView } from '../view/report.mjs';
import { fetchDeletion, ProblemError } from './api.mjs';
import { compareWithLast, forgetHistory } from './history.mjs';
import { context, t } from './page.mjs';
import { keepPlace, placeOf } from './session.mjs';

/**
 * Remembers where the reader was in a report. Coming back from another page, the report is drawn anew, and is
 * longer than the browser had measured.
 */

const isReturn = performance
  .getEntriesByType('navigation')
  .some((one) =>
    /^(back_forward|reload)$/.test(/** @type {PerformanceNavigationTiming} */ (one).type),
  );

/** @param {HTMLElement} stage */
const foldsOf = (stage) => [...stage.querySelectorAll('details')];

/**
 * Scrolls to where the reader left, and remembers the position from then on. @param {HTMLElement} stage
 * @param {string} id
 */
export function keepReaderAt(stage, id) {
  const place = isReturn ? placeOf(id) : undefined;
  if (place) {
    foldsOf(stage).forEach((one, i) => {
      one.open = place.open[i] === '1';
    });
    scrollTo({ top: place.top, behavior: 'instant' });
  } else document.getElementById(location.hash.slice(1))?.scrollIntoView();
  addEventListener('pagehide', () => {
    const open = foldsOf(stage).map((one) => (one.open ? '1' : '0'));
    keepPlace(id, { top: scrollY, open: open.join('') });
  });
}

// Opens the target of a link, and everything around it.
addEventListener('hashchange', () => {
  const target = document.getElementById(location.hash.slice(1));
  for (const one of [target, target?.querySelector(':scope > details')])
    if (one instanceof HTMLDetailsElement) one.open = true;
});

/** @param {TestStatus} status @param {string} link */
const actions = (status, link) => html`
<div class="row actions no-print"><button type="button" data-share data-copy="${link}">${t('share')}</button><button type="button" data-print>${t('print')}</button><a class="button" href="${context.href('/')}">${t('test_again')}</a><button type="button" data-delete>${t('delete')}</button></div>
<p class="quiet no-print">${t('share_help')} ${deadline(context, 'deleted_at', status.expires_at)}</p>
<dialog aria-labelledby="delete-title"><form method="dialog"><h2 id="delete-title">${t('delete_title')}</h2><p>${t('delete_text')} ${document.querySelector('[data-sells]') && t('delete_paid')}</p><p class="note fail" role="alert" hidden></p><div class="row"><button value="no">${t('delete_no')}</button><button class="primary danger" value="yes">${t('delete_yes')}</button></div></form></dialog>`;

/** @param {Last | undefined} last @param {Report} report */
function comparison(last, { score, findings }) {
  if (!last) return undefined;
  const now = findings.filter(({ severity }) => severity === 'fail' || severity === 'warn');
  const ids = now.map(({ id }) => id);
  const name = (/** @type {string} */ id) =>
    html`<li><a href="${context.href(`/findings/${id}`)}">${findings.find((one) => one.id === id)?.title ?? id}</a></li>`;
  const fixed = last.findings.filter((id) => !ids.includes(id));
  const added = ids.filter((id) => !last.findings.includes(id));
  const difference = score - last.score;
  return html`
<section class="panel comparison" aria-labelledby="comparison"><h2 id="comparison">${t('compare_title')}</h2>
<p><strong>${last.score} → ${score}</strong> ${t(difference > 0 ? 'compare_better' : difference < 0 ? 'compare_worse' : 'compare_same', { n: Math.abs(difference) })}</p>
${fixed.length > 0 && html`<h3>${t('compare_fixed')}</h3><ul>${fixed.map(name)}</ul>`}
${added.length > 0 && html`<h3>${t('compare_new')}</h3><ul>${added.map(name)}</ul>`}
<p class="quiet no-print">${t('compare_help')} <button type="button" class="copy" data-forget>${t('forget')}</button></p></section>`;
}

const raw = html`
<details class="panel no-print" data-raw><summary><h2>${t('raw_json')}</h2></summary><div class="row"><button type="button" class="copy" data-copy="">${t('copy')}</button><button type="button" class="copy" data-download>${t('download')}</button></div><pre tabindex="0"><code></code></pre></details>`;

/** @param {string} id @param {string} text */
function download(id, text) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  link.download = `deliverability-${id}.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/**
 * Shows a report of one's own and does what its buttons say.
 *
 * @param {HTMLElement} stage
 * @param {{ id: string, token: string, link: string, report: Report, opinion: Html | undefined, status: TestStatus, onDeleted: () => void }} options
 */
export function showReport(stage, { id, token, link, report, opinion, status, onDeleted }) {
  const last = compareWithLast(id, report);
  const compared = comparison(last, report);
  stage.innerHTML = reportView(context, report, {
    actions: actions(status, link),
    raw,
    ...(compared && { comparison: compared }),
    ...(opinion && { opinion }),
  }).markup;

  const text = JSON.stringify(report, null, 2);
  const details = stage.querySelector('[data-raw]');
  details?.querySelector('[data-copy]')?.setAttribute('data-copy', text);
  const code = details?.querySelector('code');
  details?.addEventListener('toggle', () => {
    if (code) code.textContent = text;
  });
  details?.querySelector('[data-download]')?.addEventListener('click', () => download(id, text));
  stage.querySelector('[data-forget]')?.addEventListener('click', () => {
    forgetHistory(id);
    stage.querySelector('.comparison')?.remove();
  });

  const dialog = stage.querySelector('dialog');
  const fault = dialog?.querySelector('[role=alert]');
  stage.querySelector('[data-delete]')?.addEventListener('click', () => dialog?.showModal());
  dialog?.querySelector('form')?.addEventListener('submit', (event) => {
    if (!(event.submitter instanceof HTMLButtonElement) || event.submitter.value !== 'yes') return;
    event.preventDefault();
    fetchDeletion(id, token).then(onDeleted, (error) => {
      if (!(error instanceof ProblemError) || !(fault instanceof HTMLElement)) throw error;
      fault.textContent = problemText(t, error.problem);
      fault.hidden = false;
    });
  });
  keepReaderAt(stage, id);
}
