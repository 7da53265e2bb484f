/**
 * @import { Challenge, Problem } from './api.mjs'
 * @import { Report } from '../../../domain/report/report.ts'
 * @import { StringKey } from '../texts.ts'
 */
import { encodePayment, fetchReport, ProblemError } from './api.mjs';
import { t } from './context.mjs';
import { walletButtons } from './pay-view.mjs';
import { askForSignature, WalletError } from './payment.mjs';
import { problemText } from './problem-text.mjs';
import { forgetPayment, keepPayment, signedPayment } from './session.mjs';
import { findWallets } from './wallets.mjs';

/** Times that a payment which may be under way is sent again by itself. */
const MAX_REPEATS = 30;

/** Reasons of the service for not taking a payment, and how they are explained. */
/** @type {readonly (readonly [RegExp, StringKey])[]} */
const REASONS = [
  [/insufficient|balance/, 'pay_refused_money'],
  [/valid_before|valid_after|expired/, 'pay_refused_late'],
  [/nonce/, 'pay_refused_used'],
  [/signature/, 'pay_refused_signature'],
];

/** @param {Problem} problem */
const refusalText = ({ error = '' }) => {
  const known = REASONS.find(([pattern]) => pattern.test(error));
  return known ? t(known[1]) : t('pay_refused', { reason: error });
};

/** @param {number} ms */
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Sends a signed payment until there is an answer that settles it. The same one each time: it can be
 * taken only once, while a second signature would be a second payment.
 *
 * @param {string} id
 * @param {string} token
 * @param {string} payment
 * @param {(text: string) => void} onStep
 * @returns {Promise<Report>}
 */
export async function sendPayment(id, token, payment, onStep) {
  for (let repeat = 0; ; repeat++) {
    try {
      const reading = await fetchReport(id, token, payment);
      forgetPayment(id);
      if (reading.report) return reading.report;
      throw new PaymentRefusedError(refusalText(reading.problem));
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      const { problem } = error;
      // Only these leave open what became of it, or can be asked again.
      const open = problem.status === 0 || problem.status === 429 || problem.status > 500;
      if (!open || repeat === MAX_REPEATS) throw error;
      onStep(problem.code === 'settlement_pending' ? t('pay_pending') : t('pay_repeating'));
      await sleep(1000 * Math.min(15, Math.max(1, problem.retryAfter)));
    }
  }
}

/** The service took no money. */
export class PaymentRefusedError extends Error {}

/**
 * Runs the part of the page that pays.
 *
 * @param {HTMLElement} stage
 * @param {{ id: string, token: string, challenge: Challenge, onPaid: (report: Report) => Promise<void>, onProblem: (problem: Problem) => boolean, refused?: string | undefined }} options
 *   `onProblem`: whether the page shows that problem itself; `refused`: why the last one was not taken
 */
export function runPayment(stage, { id, token, challenge, onPaid, onProblem, refused = '' }) {
  const list = stage.querySelector('[data-wallets]');
  const none = stage.querySelector('[data-no-wallet]');
  const step = stage.querySelector('[data-pay-step]');
  const fault = stage.querySelector('[data-pay-error]');
  let busy = false;
  /** @type {readonly import('./wallets.mjs').Wallet[]} */
  let wallets = [];

  /** @param {Element | null} where @param {string} text */
  const show = (where, text) => {
    if (!(where instanceof HTMLElement)) return;
    where.textContent = text;
    where.hidden = text === '';
  };

  /** Not `disabled`: the focus would be lost. @param {boolean} now */
  const setBusy = (now) => {
    busy = now;
    for (const button of list?.querySelectorAll('button') ?? [])
      button.ariaDisabled = now ? 'true' : null;
  };

  /** @param {() => Promise<string>} getPayment */
  async function attempt(getPayment) {
    if (busy) return;
    setBusy(true);
    show(fault, '');
    try {
      const payment = await getPayment();
      show(step, t('pay_settling'));
      await onPaid(await sendPayment(id, token, payment, (text) => show(step, text)));
    } catch (error) {
      show(step, '');
      if (error instanceof WalletError)
        show(fault, t(/** @type {StringKey} */ (error.key), error.values));
      else if (error instanceof PaymentRefusedError) show(fault, error.message);
      else if (error instanceof ProblemError) {
        if (!onProblem(error.problem))
          show(
            fault,
            `${problemText(error.problem)}${signedPayment(id) ? ` ${t('pay_still_signed')}` : ''}`,
          );
      } else {
        show(fault, t('problem_internal'));
        throw error;
      }
    } finally {
      setBusy(false);
    }
  }

  const stop = findWallets((found) => {
    wallets = found;
    if (list)
      list.innerHTML = walletButtons(found)
        .map(({ markup }) => markup)
        .join('');
    if (list instanceof HTMLElement) list.hidden = found.length === 0;
    if (none instanceof HTMLElement) none.hidden = found.length > 0;
    const other = stage.querySelector('[data-other-ways]');
    if (other instanceof HTMLDetailsElement && found.length === 0) other.open = true;
  });

  list?.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('[data-wallet]') : null;
    const wallet = wallets.find(
      (one) => button instanceof HTMLElement && one.id === button.dataset.wallet,
    );
    if (!wallet) return;
    void attempt(async () => {
      // What was signed before is sent again: a second signature could be a second payment.
      const before = signedPayment(id);
      if (before) return before;
      const signed = await askForSignature(wallet.provider, challenge, (key) => show(step, t(key)));
      const payment = encodePayment(signed);
      keepPayment(id, payment);
      return payment;
    });
  });
  show(fault, refused);
  return stop;
}
