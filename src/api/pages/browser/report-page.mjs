/**
 * Shows the reader's own report in the browser, makes its buttons work (such as those that test again,
 * download and delete), and restores the scroll position.
 *
 * @import { Report } from '../../../domain/report/report.ts'
 * @import { TestStatus } from '../../schemas/tests.ts'
 * @import { Html } from '../view/html.mjs'
 */
import { comparisonView, toBaseline } from '../view/comparison.mjs';
import { html, problemText } from '../view/html.mjs';
import { deadline } from '../view/live.mjs';
import { reportView } from '../view/report.mjs';
import { fetchDeletion, ProblemError } from './api.mjs';
import { context, t } from './page.mjs';
import { baselineOf, forgetBaseline, keepBaseline, keepPlace, placeOf } from './session.mjs';

/**
 * The page restores the scroll position itself. When the reader comes back from another page, the report is
 * drawn anew, and is longer than the browser had measured.
 */

const isReturn = performance
  .getEntriesByType('navigation')
  .some((one) =>
    /^(back_forward|reload)$/.test(/** @type {PerformanceNavigationTiming} */ (one).type),
  );

/** @param {HTMLElement} stage */
const foldsOf = (stage) => [...stage.querySelectorAll('details')];

/**
 * Scrolls to where the reader left the report, and remembers the position from then on. @param {HTMLElement}
 * stage
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

// Opens the target of a link, and every closed section around it.
addEventListener('hashchange', () => {
  const target = document.getElementById(location.hash.slice(1));
  for (const one of [target, target?.querySelector(':scope > details')])
    if (one instanceof HTMLDetailsElement) one.open = true;
});

/**
 * @param {TestStatus} status
 * @param {string} link
 * @param {string | undefined} price `undefined` if reports are free
 */
const actions = (status, link, price) => html`
<div class="row actions no-print"><button type="button" data-share data-copy="${link}">${t('share')}</button><button type="button" data-print>${t('print')}</button><form method="post" action="${context.href('/')}" data-again><button>${price === undefined ? t('test_again_free') : t('test_again', { price })}</button></form></div>
<p class="quiet no-print">${t('test_again_help')}</p>
<p class="quiet no-print">${t('share_help')} ${deadline(context, 'deleted_at', status.expires_at)} <button type="button" class="plain danger" data-delete>${t('delete')}</button></p>
<dialog aria-labelledby="delete-title"><form method="dialog"><h2 id="delete-title">${t('delete_title')}</h2><p>${t('delete_text')} ${price !== undefined && t('delete_paid')}</p><p class="note fail" role="alert" hidden></p><div class="row"><button value="no">${t('delete_no')}</button><button class="primary danger" value="yes">${t('delete_yes')}</button></div></form></dialog>`;

const raw = html`
<details class="panel no-print" data-raw><summary><h2>${t('raw_json')}</h2></summary><div class="row"><button type="button" class="copy" data-copy="">${t('copy')}</button><button type="button" class="copy" data-download>${t('download')}</button></div><pre tabindex="0"><code translate="no"></code></pre></details>`;

/** @param {string} id @param {string} text */
function download(id, text) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  link.download = `deliverability-${id}.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/**
 * Shows the reader's own report and makes its buttons work.
 *
 * @param {HTMLElement} stage
 * @param {{ id: string, token: string, link: string, report: Report, opinion: Html | undefined, status:
 * TestStatus, onDeleted: () => void }} options
 */
export function showReport(stage, { id, token, link, report, opinion, status, onDeleted }) {
  const before = baselineOf(id);
  stage.innerHTML = reportView(context, report, {
    actions: actions(status, link, stage.dataset.sells),
    raw,
    ...(before && { comparison: comparisonView(context, before, report) }),
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
    forgetBaseline(id);
    stage.querySelector('.comparison')?.remove();
  });

  stage.querySelector('[data-again]')?.addEventListener('submit', () => {
    keepBaseline({ of: id, until: status.expires_at, ...toBaseline(report) });
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
