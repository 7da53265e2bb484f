/**
 * @import { TestStatus } from '../../schemas/tests.ts'
 * @import { Report } from '../../../domain/report/report.ts'
 * @import { Problem } from './api.mjs'
 * @import { StringKey } from '../texts.ts'
 * @import { Html } from '../view/html.mjs'
 */
import { fetchReport, fetchStatus, now, OFFLINE, ProblemError } from './api.mjs';
import './anchors.mjs';
import { assetUrl, context, t } from './context.mjs';
import { runCountdowns } from './countdown.mjs';
import * as views from './live-views.mjs';
import { announce } from './page.mjs';
import { PaymentRefusedError, runPayment, sendPayment } from './pay-flow.mjs';
import { payView, settlingView } from './pay-view.mjs';
import { newPoll, pause, pollNow } from './polls.mjs';
import { problemText } from './problem-text.mjs';
import './qr.mjs';
import { forgetTest, keepTest, keepToken, signedPayment, tokenOf } from './session.mjs';

/** Milliseconds between two looks whether a report is still there. */
const CHECK_MS = 30_000;

/** Milliseconds until the next attempt when the service cannot be reached. */
const RETRY_MS = 3000;

const stage = /** @type {HTMLElement} */ (document.querySelector('[data-test]'));
const offline = /** @type {HTMLElement} */ (document.querySelector('[data-offline]'));
const [, id = ''] = /\/t\/([a-z2-7]{12})\/?$/.exec(location.pathname) ?? [];
const after = location.hash.slice(1);
/** What is no key does not replace the one that this tab has. */
const token = (/^[\w-]{43}$/.test(after) ? after : tokenOf(id)) ?? after;
const address = `${id}@${stage.dataset.mailDomain}`;
/** Tells the other tabs of this browser that a test is gone. */
const channel = new BroadcastChannel('deleted-tests');

const tick = runCountdowns(stage);
let stopWallets = () => {};
/** What is shown, so that the same is not drawn twice. */
let shown = '';

/**
 * @param {string} key
 * @param {StringKey} said to who does not see it
 * @param {() => Html | void} draw
 */
function show(key, said, draw) {
  if (key === shown) return;
  const first = shown === '';
  shown = key;
  stopWallets();
  stopWallets = () => {};
  const markup = draw();
  if (markup) stage.innerHTML = markup.markup;
  tick();
  const title = stage.querySelector('h1');
  document.title = `${title?.textContent ?? t('test_title')} – ${t('service')}`;
  announce(t(said));
  if (first) return;
  // What had the focus is gone: go on where the new content begins.
  title?.setAttribute('tabindex', '-1');
  title?.focus({ preventScroll: true });
  scrollTo({ top: 0 });
}

function gone() {
  forgetTest(id);
  show('deleted', 'deleted_title', views.deleted);
}

/**
 * What draws a report, fetched when there is one: who waits for a mail does without.
 *
 * @returns {Promise<typeof import('./report-page.mjs')>}
 */
const loadReportPage = () =>
  import(assetUrl('browser/report-page.mjs')).catch(() => {
    throw new ProblemError(OFFLINE);
  });

/** @param {Report} report @param {TestStatus} status */
async function showPaid(report, status) {
  const { showReport } = await loadReportPage();
  if (shown === 'deleted') return;
  show('report', 'said_report', () =>
    showReport(stage, {
      id,
      token,
      report,
      status,
      onDeleted() {
        channel.postMessage(id);
        gone();
      },
    }),
  );
}

/** @param {Problem} problem */
function showProblem(problem) {
  if (problem.code === 'test_not_found') gone();
  else if (problem.code === 'wrong_read_token') show('wrong', 'key_wrong_title', views.keyWrong);
  else if (problem.status === 400) show('wrong', 'key_wrong_title', views.keyWrong);
  else return false;
  return true;
}

/**
 * Sends a payment that was signed before this page was loaded. Gives why it was not taken.
 *
 * @param {TestStatus} status
 */
async function resumePayment(status) {
  const payment = signedPayment(id);
  if (!payment) return undefined;
  show('settling', 'pay_settling', settlingView);
  const step = stage.querySelector('[data-pay-step]');
  try {
    const report = await sendPayment(id, token, payment, (text) => {
      if (step) step.textContent = text;
    });
    await showPaid(report, status);
  } catch (error) {
    if (!(error instanceof PaymentRefusedError)) throw error;
    return error.message;
  }
  return undefined;
}

/** @param {TestStatus} status */
async function openReport(status) {
  if (shown === 'report' || shown === 'pay' || shown === 'wrong') return;
  if (token === '') return show('keyless', 'key_missing_title', views.keyMissing);
  const refused = await resumePayment(status);
  if (shown === 'report') return;
  const reading = await fetchReport(id, token);
  if (reading.report) return showPaid(reading.report, status);
  const { challenge } = reading;
  const [terms] = challenge.accepts;
  if (!terms) throw new Error('There is no way to pay.');
  show('pay', 'said_pay', () => payView(terms, { id, payBefore: status.pay_before }));
  stopWallets = runPayment(stage, {
    id,
    token,
    challenge,
    onPaid: (report) => showPaid(report, status),
    onProblem: showProblem,
    refused,
  });
}

/** @param {TestStatus} status */
async function showStatus(status) {
  switch (status.status) {
    case 'waiting':
      return show(
        `waiting ${status.refusal?.send_again_before ?? ''}${status.refusal?.reasons?.map(({ detail }) => detail) ?? ''}`,
        status.refusal ? 'refused_title' : 'said_waiting',
        () => views.waiting(status, address),
      );
    case 'processing':
      return show('processing', 'processing_title', views.processing);
    case 'ready':
      return openReport(status);
    default:
      return show('ended', 'said_ended', () => views.endedTest(status));
  }
}

addEventListener('offline', () => showOutage(OFFLINE));
channel.addEventListener('message', ({ data }) => {
  if (data === id) gone();
});
stage.addEventListener('click', ({ target }) => {
  if (target instanceof Element && target.closest('[data-retry]')) location.reload();
});

/** Says why nothing moves for now. @param {Problem} problem */
function showOutage(problem) {
  const text = problem.status === 0 ? t('offline') : `${problemText(problem)} ${t('goes_on')}`;
  if (offline.hidden) announce(text);
  offline.textContent = text;
  offline.hidden = false;
}

let leaving = false;
addEventListener('pagehide', () => {
  leaving = true;
  pollNow();
});
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload();
});

/** Follows the test for as long as it is there. */
async function follow() {
  let wait = false;
  while (!leaving && shown !== 'deleted') {
    const poll = newPoll();
    try {
      const status = await fetchStatus(id, poll, wait);
      await showStatus(status);
      offline.hidden = true;
      wait = status.poll_after_seconds > 0;
      if (!wait) await pause(CHECK_MS);
    } catch (error) {
      if (leaving) return;
      if (poll.signal.aborted && !(error instanceof ProblemError)) {
        // What changed meanwhile is not waited for.
        wait = false;
        continue;
      }
      if (!(error instanceof ProblemError)) {
        // An answer of another shape than ours, or a defect: never a page that waits for nothing.
        show('failed', 'read_failed_title', () => views.failedToRead(t('problem_internal')));
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
      show('failed', 'read_failed_title', () => views.failedToRead(problemText(problem)));
      return;
    }
  }
}

const hideKey = () => history.replaceState(null, '', location.pathname + location.search);
const showKey = () =>
  history.replaceState(null, '', `${location.pathname}${location.search}#${token}`);

if (id === '') location.replace(context.href('/'));
else {
  if (token !== '') {
    keepToken(id, token);
    keepTest(id, address, now());
    // The address stays the key: it can be reloaded, kept and shared.
    if (after !== token) showKey();
    // Browsers print the address of a page in its margin.
    addEventListener('beforeprint', hideKey);
    addEventListener('afterprint', showKey);
  }
  stage.innerHTML = views.loading().markup;
  void follow();
}
