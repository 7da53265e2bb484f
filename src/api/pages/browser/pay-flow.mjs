/**
 * @import { Challenge, Problem } from './api.mjs'
 * @import { Report } from '../../../domain/report/report.ts'
 * @import { StringKey } from '../texts.ts'
 */
import { problemText } from '../view/problem-text.mjs';
import { encodePayment, fetchReport, ProblemError } from './api.mjs';
import { t } from './context.mjs';
import { walletButtons } from './pay-view.mjs';
import { askForSignature, WalletError } from './payment.mjs';
import { forgetPayment, keepPayment, signedPayment } from './session.mjs';
import { offerWalletApps } from './wallet-apps.mjs';
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
 * @param {{ id: string, token: string, link: string, challenge: Challenge, onPaid: (report: Report) => Promise<void>, onProblem: (problem: Problem) => boolean, refused?: string | undefined }} options
 *   `onProblem`: whether the page shows that problem itself; `refused`: why the last one was not taken
 * @returns {{ stop(): void, isSending(): boolean }}
 */
export function runPayment(stage, { id, token, link, challenge, onPaid, onProblem, refused = '' }) {
  const list = stage.querySelector('[data-wallets]');
  const none = stage.querySelector('[data-no-wallet]');
  const step = stage.querySelector('[data-pay-step]');
  const cancel = stage.querySelector('[data-pay-cancel]');
  const fault = stage.querySelector('[data-pay-error]');
  let busy = false;
  let sending = false;
  /** Ends the wait for a wallet. */
  let stopWaiting = () => {};
  /** @type {readonly import('./wallets.mjs').Wallet[]} */
  let wallets = [];

  /** @param {Element | null} where @param {string} text */
  const show = (where, text) => {
    if (!(where instanceof HTMLElement)) return;
    (where.querySelector('p') ?? where).textContent = text;
    where.hidden = text === '';
  };

  /** @param {boolean} isWaiting for the wallet, which may never answer */
  const allowCancel = (isWaiting) => {
    if (cancel instanceof HTMLElement) cancel.hidden = !isWaiting;
  };

  /** Not `disabled`: the focus would be lost. @param {boolean} now */
  const setBusy = (now) => {
    busy = now;
    for (const button of list?.querySelectorAll('button') ?? [])
      button.ariaDisabled = now ? 'true' : null;
  };

  /**
   * A payment of this wallet. What it signs after the reader gave up on it is not sent.
   *
   * @param {import('./wallets.mjs').Wallet} wallet
   * @returns {Promise<string>}
   */
  async function sign({ provider }) {
    // What was signed before is sent again: a second signature could be a second payment.
    const before = signedPayment(id);
    if (before) return before;
    /** @type {PromiseWithResolvers<never>} */
    const { promise: given, reject } = Promise.withResolvers();
    stopWaiting = () => reject(new WalletError('wallet_cancelled'));
    allowCancel(true);
    const signed = await Promise.race([
      given,
      askForSignature(provider, challenge, (key) => busy && show(step, t(key))),
    ]);
    const payment = encodePayment(signed);
    keepPayment(id, payment);
    return payment;
  }

  /** @param {import('./wallets.mjs').Wallet} wallet */
  async function attempt(wallet) {
    if (busy) return;
    setBusy(true);
    show(fault, '');
    try {
      const payment = await sign(wallet).finally(() => allowCancel(false));
      sending = true;
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
            `${problemText(t, error.problem)}${signedPayment(id) ? ` ${t('pay_still_signed')}` : ''}`,
          );
      } else {
        show(fault, t('problem_internal'));
        throw error;
      }
    } finally {
      sending = false;
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
    for (const one of stage.querySelectorAll('[data-other-ways], [data-apps]'))
      if (one instanceof HTMLDetailsElement && found.length === 0) one.open = true;
  });

  list?.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('[data-wallet]') : null;
    const wallet = wallets.find(
      (one) => button instanceof HTMLElement && one.id === button.dataset.wallet,
    );
    if (wallet) void attempt(wallet);
  });
  cancel?.addEventListener('click', () => stopWaiting());
  offerWalletApps(stage, link);
  show(fault, refused);
  return { stop, isSending: () => sending };
}
