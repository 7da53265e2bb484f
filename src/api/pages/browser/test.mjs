/**
 * Follows a test on its page in the browser: shows the address, waits for the email, asks for the payment if
 * reports are sold, and shows the report until it is deleted.
 *
 * @import { TestStatus } from '../../schemas/tests.ts'
 * @import { Report } from '../../../domain/report/report.ts'
 * @import { Problem } from './api.mjs'
 * @import { StringKey } from '../texts.ts'
 * @import { Html } from '../view/html.mjs'
 */
import { problemText } from '../view/html.mjs';
import { failedToRead, liveView, loading, notice } from '../view/live.mjs';
import {
  fetchReport,
  fetchStatus,
  newPoll,
  OFFLINE,
  ProblemError,
  pause,
  pollNow,
} from './api.mjs';
import { announce, context, load, t } from './page.mjs';
import { forgetExpired, forgetTest, signedPayment } from './session.mjs';
import { runCountdowns } from './stage.mjs';
import { begun, thisTest } from './start.mjs';

/**
 * Pauses in milliseconds between two checks of whether a report still exists, and whether it was paid for
 * elsewhere.
 */
const CHECK_MS = 30_000;
const PAID_CHECK_MS = 5000;

/** Pause in milliseconds before the next attempt if the service cannot be reached. */
const RETRY_MS = 3000;

const { id, token, link, isCut } = thisTest;
const stage = /** @type {HTMLElement} */ (document.querySelector('[data-test]'));
const offline = /** @type {HTMLElement} */ (document.querySelector('[data-offline]'));

/** Tells other tabs of this browser that a test was deleted or paid for here. */
const channel = openChannel();

/**
 * Opens the channel to other tabs. Some browsers allow none if they allow no storage; the other tabs then
 * find out a little later.
 */
function openChannel() {
  try {
    return new BroadcastChannel('tests');
  } catch {
    return undefined;
  }
}

const tick = runCountdowns(stage);
/** @type {ReturnType<typeof import('./pay-flow.mjs')['runPayment']> | undefined} */
let payment;
/** Key of the content that the page currently shows, so that it is not drawn twice. */
let shown = '';
/** True once the page has seen the test. If the test disappears after that, it was deleted. */
let wasThere = false;

/**
 * @param {string} key
 * @param {StringKey} said announced to people who cannot see the change
 * @param {() => Html | void} draw
 */
function show(key, said, draw) {
  if (key === shown) return;
  const first = shown === '';
  shown = key;
  payment?.stop();
  payment = undefined;
  const markup = draw();
  if (markup) stage.innerHTML = markup.markup;
  tick();
  const title = stage.querySelector('h1');
  document.title = `${title?.textContent ?? t('test_title')} – ${t('service')}`;
  announce(t(said));
  if (first) return;
  // The element that had the focus is gone, so the focus moves to the beginning of the new content.
  title?.setAttribute('tabindex', '-1');
  title?.focus({ preventScroll: true });
  scrollTo({ top: 0 });
}

/** @param {string} key @param {StringKey} title @param {StringKey} text */
const showNotice = (key, title, text) => show(key, title, () => notice(context, title, text));

function gone() {
  if (wasThere || token !== '') showNotice('gone', 'deleted_title', 'deleted_text');
  else showNotice('gone', 'unknown_title', 'unknown_text');
  forgetTest(id);
}

/** Loads a module that a page does not need while it waits for an email. @param {string} name */
const loadNow = (name) =>
  load(name).catch(() => {
    throw new ProblemError(OFFLINE);
  });

/** Loads the module that draws a report. @returns {Promise<typeof import('./report-page.mjs')>} */
const loadReportPage = () => loadNow('browser/report-page.mjs');

/**
 * Loads the module that shows the results of spam filters. @returns {Promise<typeof
 * import('../view/filters.mjs')>}
 */
const loadFilters = () => loadNow('view/filters.mjs');

/** Loads the module that asks for a payment. @returns {Promise<typeof import('./pay-flow.mjs')>} */
const loadPayFlow = () => loadNow('browser/pay-flow.mjs');

/**
 * Starts to load a module that will probably be needed, without waiting for it. @param {() =>
 * Promise<unknown>} loadModule
 */
const prepare = (loadModule) => void loadModule().catch(() => {});

/** @param {Report} report @param {TestStatus} status */
async function showPaid(report, status) {
  const [{ showReport }, filters] = await Promise.all([
    loadReportPage(),
    report.filters && loadFilters(),
  ]);
  const opinion = filters?.opinion(context, report);
  if (shown === 'gone') return;
  show('report', 'said_report', () =>
    showReport(stage, {
      id,
      token,
      link: link ?? '',
      report,
      opinion,
      status,
      onDeleted() {
        channel?.postMessage({ id, is: 'gone' });
        gone();
      },
    }),
  );
}

const showWrongKey = () => showNotice('wrong', 'key_wrong_title', 'key_wrong_text');

/** @param {Problem} problem */
function showProblem(problem) {
  if (problem.code === 'test_not_found') gone();
  else if (problem.code === 'wrong_read_token' || problem.status === 400) showWrongKey();
  else if (problem.code === 'sale_closed') showNotice('closed', 'closed_title', 'closed_text');
  else return false;
  return true;
}

/**
 * Sends a payment that was signed before this page was loaded. Returns the reason if it was not accepted.
 *
 * @param {TestStatus} status
 */
async function resumePayment(status) {
  const signed = signedPayment(id);
  if (!signed) return undefined;
  const { PaymentRefusedError, sendPayment, settlingView } = await loadPayFlow();
  show('settling', 'pay_settling', settlingView);
  const step = stage.querySelector('[data-pay-step] p');
  try {
    const report = await sendPayment(id, token, signed, (text) => {
      if (step) step.textContent = text;
    });
    await showPaid(report, status);
  } catch (error) {
    if (!(error instanceof PaymentRefusedError)) throw error;
    return error.message;
  }
  return undefined;
}

/** The request for the report that was made before the page knew whether there is a report. */
let early = begun.report;

function readReport() {
  const reading = early?.catch((error) => {
    if (error instanceof ProblemError && error.problem.code !== 'report_not_ready') throw error;
    return fetchReport(id, token);
  });
  early = undefined;
  return reading ?? fetchReport(id, token);
}

/** @param {TestStatus} status */
async function openReport(status) {
  if (shown === 'report' || shown === 'wrong' || payment?.isSending()) return;
  if (isCut) return showWrongKey();
  if (token === '') return showNotice('keyless', 'key_missing_title', 'key_missing_text');
  const refused = shown === 'pay' ? undefined : await resumePayment(status);
  if (shown === 'report') return;
  const reading = await readReport();
  if (reading.report) return showPaid(reading.report, status);
  const { challenge } = reading;
  const { runPayment } = await loadPayFlow();
  if (shown === 'gone') return;
  show('pay', 'said_pay', () => {
    payment = runPayment(stage, {
      id,
      token,
      link: link ?? '',
      challenge,
      payBefore: status.pay_before,
      onPaid(report) {
        channel?.postMessage({ id, is: 'paid' });
        return showPaid(report, status);
      },
      onProblem: showProblem,
      refused,
    });
  });
}

/** @param {TestStatus} status */
async function showStatus(status) {
  wasThere = true;
  if (status.status === 'ready') return openReport(status);
  if (status.status === 'processing')
    prepare(stage.dataset.sells === undefined ? loadReportPage : loadPayFlow);
  const { key, said, view } = liveView(context, status, thisTest);
  // The response that created the test already contains this content.
  if (shown === '' && stage.dataset.shows === key) shown = key;
  show(key, said, () => view);
}

addEventListener('offline', () => showOutage(OFFLINE));
channel?.addEventListener('message', ({ data }) => {
  if (data.id !== id) return;
  if (data.is === 'gone') gone();
  else pollNow();
});
stage.addEventListener('click', ({ target }) => {
  if (target instanceof Element && target.closest('[data-retry]')) location.reload();
});
// The browser does not load the page again when a link with the key is pasted into its address bar, because
// only the part after the # sign differs.
addEventListener('hashchange', () => {
  if (/^#[\w-]{43}$/.test(location.hash)) location.reload();
});

/** Explains why nothing changes at the moment. @param {Problem} problem */
function showOutage(problem) {
  const text = problem.status === 0 ? t('offline') : `${problemText(t, problem)} ${t('goes_on')}`;
  if (offline.hidden) announce(text);
  offline.textContent = text;
  offline.hidden = false;
}

/** Number of the current loop that follows the test. A page that the browser restores begins a new loop. */
let loop = 0;
addEventListener('pagehide', () => {
  loop += 1;
  pollNow();
});
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) void follow();
});

/** @type {{ readonly poll: AbortController, readonly status: Promise<TestStatus> } | undefined} */
let first = begun;

/**
 * Requests the state of the test. The first such request of a page is already in progress. @param {boolean}
 * wait
 */
function look(wait) {
  // The result of the early request for the report is valid only together with the first status.
  if (!first) early = undefined;
  const poll = first?.poll ?? newPoll();
  const status = first?.status ?? fetchStatus(id, poll, wait);
  first = undefined;
  return { poll, looked: status };
}

/** Follows the test for as long as it exists. */
async function follow() {
  loop += 1;
  const own = loop;
  let wait = false;
  while (own === loop && shown !== 'gone') {
    const { poll, looked } = look(wait);
    try {
      const status = await looked;
      if (own !== loop) return;
      forgetExpired(Date.now());
      await showStatus(status);
      offline.hidden = true;
      wait = status.poll_after_seconds > 0;
      if (!wait) await pause(shown === 'pay' ? PAID_CHECK_MS : CHECK_MS);
    } catch (error) {
      if (own !== loop) return;
      if (poll.signal.aborted && !(error instanceof ProblemError)) {
        // Something has already changed, so the next request does not wait.
        wait = false;
        continue;
      }
      if (!(error instanceof ProblemError)) {
        // Either the response has an unexpected shape, or there is a bug. The page must not go on waiting in
        // vain.
        show('failed', 'read_failed_title', () => failedToRead(context, t('problem_internal')));
        throw error;
      }
      const { problem } = error;
      if (showProblem(problem)) return;
      wait = false;
      if (problem.status === 0 || problem.status === 429 || problem.status > 500) {
        showOutage(problem);
        await pause(Math.max(RETRY_MS, 1000 * problem.retryAfter));
        continue;
      }
      show('failed', 'read_failed_title', () => failedToRead(context, problemText(t, problem)));
      return;
    }
  }
}

if (!stage.querySelector('h1')) stage.innerHTML = loading(context).markup;
void follow();
