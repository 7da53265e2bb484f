/**
 * Runs a payment in the browser: finds the wallets, asks one for a signature, sends the signed payment until
 * it is settled, and shows each step on the page.
 *
 * @import { Report } from '../../../domain/report/report.ts'
 * @import { StringKey } from '../texts.ts'
 * @import { Challenge, Problem } from './api.mjs'
 */
import { html, problemText } from '../view/html.mjs';
import { stepper } from '../view/live.mjs';
import { encodePayment, fetchReport, ProblemError } from './api.mjs';
import { context, t } from './page.mjs';
import { offerWalletApps, payView, walletButtons } from './pay-view.mjs';
import { askForSignature, WalletError } from './payment.mjs';
import { forgetPayment, keepPayment, signedPayment } from './session.mjs';

/**
 * The interface of a wallet (EIP-1193).
 *
 * @typedef {{ request(call: { method: string, params?: readonly unknown[] }): Promise<unknown> }} Provider
 * @typedef {{ readonly id: string, readonly name: string, readonly icon: string, readonly provider: Provider
 * }} Wallet
 */

/** Time in milliseconds that wallets have to announce themselves. Old wallets do not do so. */
const ANNOUNCE_MS = 400;

/** @param {unknown} icon a data URI (EIP-6963). Any other URL would cause a request to a third party. */
const safeIcon = (icon) => (typeof icon === 'string' && icon.startsWith('data:image/') ? icon : '');

/**
 * Finds the wallets in this browser (EIP-6963), or an old wallet that only sets `window.ethereum`.
 *
 * @param {(wallets: readonly Wallet[]) => void} onChange
 */
export function findWallets(onChange) {
  /** @type {Map<string, Wallet>} */
  const found = new Map();
  /** @param {Event} event */
  const add = (event) => {
    const { info, provider } = /** @type {CustomEvent} */ (event).detail ?? {};
    if (typeof info?.uuid !== 'string' || typeof provider?.request !== 'function') return;
    const { uuid: id, name, icon } = info;
    // Some wallets announce themselves repeatedly, and a button in the list would lose the focus if the list
    // were drawn again.
    if (found.has(id)) return;
    found.set(id, { id, name: String(name).slice(0, 60), icon: safeIcon(icon), provider });
    onChange([...found.values()]);
  };
  addEventListener('eip6963:announceProvider', add);
  dispatchEvent(new Event('eip6963:requestProvider'));
  setTimeout(() => {
    // The list is not drawn again, because that could move a button away from under a finger.
    if (found.size > 0) return;
    const { ethereum } = /** @type {{ ethereum?: Provider }} */ (/** @type {unknown} */ (window));
    if (typeof ethereum?.request === 'function')
      found.set('injected', { id: 'injected', name: 'Wallet', icon: '', provider: ethereum });
    onChange([...found.values()]);
  }, ANNOUNCE_MS);
  return () => removeEventListener('eip6963:announceProvider', add);
}

/** Maximum number of times that a payment that may be in progress is sent again automatically. */
const MAX_REPEATS = 30;

/** The service's reasons for not accepting a payment, each with the text that explains it. */
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
 * Sends a signed payment until a response decides it. Each attempt sends the same payment, which can be used
 * only once; a second signature would be a second payment.
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
      // Only these problems leave the outcome of the payment open, or allow another attempt.
      const open = problem.status === 0 || problem.status === 429 || problem.status > 500;
      if (problem.status === 400) {
        // A payment that the service cannot read will never become readable, so the next attempt signs a new
        // one.
        forgetPayment(id);
        throw new PaymentRefusedError(refusalText(problem));
      }
      if (!open || repeat === MAX_REPEATS) throw error;
      onStep(problem.code === 'settlement_pending' ? t('pay_pending') : t('pay_repeating'));
      await sleep(1000 * Math.min(15, Math.max(1, problem.retryAfter)));
    }
  }
}

/** The error for a payment that the service refused without taking any money. */
export class PaymentRefusedError extends Error {}

/** The content of the page while a payment that was signed earlier is sent again. */
export const settlingView = () => html`
${stepper(context, 3)}
<h1 tabindex="-1">${t('settling_title')}</h1>
<div class="note" data-pay-step><p role="status">${t('pay_settling')}</p></div>`;

/**
 * Runs the part of the page that handles the payment.
 *
 * @param {HTMLElement} stage
 * @param {{ id: string, token: string, link: string, challenge: Challenge, payBefore: string | undefined,
 * onPaid: (report: Report) => Promise<void>, onProblem: (problem: Problem) => boolean, refused?: string |
 * undefined }} options `onProblem`: returns whether the page shows that problem itself; `refused`: why the
 * last payment was not accepted
 * @returns {{ stop(): void, isSending(): boolean }}
 */
export function runPayment(stage, options) {
  const { id, token, link, challenge, payBefore, onPaid, onProblem, refused = '' } = options;
  const [terms] = challenge.accepts;
  if (!terms) throw new Error('There is no way to pay.');
  stage.innerHTML = payView(terms, { id, link, payBefore }).markup;
  const list = stage.querySelector('[data-wallets]');
  const none = stage.querySelector('[data-no-wallet]');
  const step = stage.querySelector('[data-pay-step]');
  const cancel = stage.querySelector('[data-pay-cancel]');
  const fault = stage.querySelector('[data-pay-error]');
  let busy = false;
  let sending = false;
  /** Ends the wait for the wallet's response. */
  let stopWaiting = () => {};
  /** @type {readonly import('./pay-flow.mjs').Wallet[]} */
  let wallets = [];

  /** @param {Element | null} where @param {string} text */
  const show = (where, text) => {
    if (!(where instanceof HTMLElement)) return;
    (where.querySelector('p') ?? where).textContent = text;
    where.hidden = text === '';
  };

  /** @param {boolean} isWaiting for the wallet, which may never respond */
  const allowCancel = (isWaiting) => {
    if (cancel instanceof HTMLElement) cancel.hidden = !isWaiting;
  };

  /**
   * Disables the buttons by `aria-disabled`, because with `disabled` they would lose the focus. @param
   * {boolean} now
   */
  const setBusy = (now) => {
    busy = now;
    for (const button of list?.querySelectorAll('button') ?? [])
      button.ariaDisabled = now ? 'true' : null;
  };

  /**
   * Asks this wallet to sign the payment. A signature that arrives after the reader gave up is not sent.
   *
   * @param {import('./pay-flow.mjs').Wallet} wallet
   * @returns {Promise<string>}
   */
  async function sign({ provider }) {
    // A payment that was signed earlier is sent again, because a second signature could be a second payment.
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

  /** @param {import('./pay-flow.mjs').Wallet} wallet */
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
    const added = found.slice(wallets.length);
    wallets = found;
    for (const { markup } of walletButtons(added)) list?.insertAdjacentHTML('beforeend', markup);
    setBusy(busy);
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
