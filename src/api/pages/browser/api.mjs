/**
 * Calls of the API that pages make, and the poll that follows a test.
 *
 * @import { Report } from '../../../domain/report/report.ts'
 * @import { TestStatus } from '../../schemas/tests.ts'
 */

const { root = '' } = document.documentElement.dataset;

/** Seconds that the service is asked to wait for a change. */
const WAIT_SECONDS = 30;

/** Seconds after which a request without a response is given up. */
const PATIENCE_SECONDS = 60;

/** The same for a payment: the service waits for the chain as long as the authorization is valid. */
const PAYMENT_PATIENCE_SECONDS = 150;

/**
 * The content of an error (RFC 9457), as far as this page reads it.
 *
 * @typedef {import('../view/html.mjs').Problem & { readonly status: number, readonly error?: string }}
 * Problem
 */

/** A response that is an error. `code` is `offline` if there was no response. */
export class ProblemError extends Error {
  /** @param {Problem} problem */
  constructor(problem) {
    super(problem.code);
    this.problem = problem;
  }
}

/** @type {Problem} */
export const OFFLINE = { status: 0, code: 'offline', retryAfter: 3 };

/** Milliseconds by which the service's clock is ahead of this one. */
let ahead = 0;

/** Returns the service's time, because deadlines are its own. */
export const now = () => Date.now() + ahead;

/** @param {Response} response */
function setClock({ headers }) {
  const date = Date.parse(headers.get('date') ?? '');
  // Its resolution is one second, and the response took a while.
  if (Math.abs(date - Date.now() - ahead) > 2000) ahead = date - Date.now();
}

/**
 * @param {string} path
 * @param {RequestInit} [init]
 * @param {AbortController} [given] who may end it
 * @param {number} [seconds] after which it is given up
 * @returns {Promise<Response>}
 */
async function request(path, init = {}, given, seconds = PATIENCE_SECONDS) {
  const controller = given ?? new AbortController();
  let impatient = false;
  const patience = setTimeout(() => {
    impatient = true;
    controller.abort();
  }, seconds * 1000);
  try {
    const response = await fetch(root + path, {
      ...init,
      cache: 'no-store',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      signal: controller.signal,
    });
    setClock(response);
    return response;
  } catch (error) {
    if (controller.signal.aborted && !impatient) throw error;
    throw new ProblemError(OFFLINE);
  } finally {
    clearTimeout(patience);
  }
}

/** @param {Response} response */
async function toProblem(response) {
  const body = await response.json().catch(() => ({}));
  const retryAfter = Number(response.headers.get('retry-after') ?? 5);
  return new ProblemError({ code: 'internal_error', ...body, status: response.status, retryAfter });
}

/** @param {Response} response */
async function json(response) {
  if (!response.ok) throw await toProblem(response);
  return response.json().catch(() => {
    throw new ProblemError(OFFLINE);
  });
}

/** How far this page has seen its test come: no replica responds with less. */
let position = '0';

/**
 * @param {string} id
 * @param {AbortController} controller
 * @param {boolean} wait for a change
 * @returns {Promise<TestStatus>}
 */
export const fetchStatus = async (id, controller, wait) => {
  const headers = { 'test-position': position, ...(wait && { prefer: `wait=${WAIT_SECONDS}` }) };
  const response = await request(`/v1/tests/${id}/status`, { headers }, controller);
  position = response.headers.get('test-position') ?? position;
  return json(response);
};

/** @param {string} id @param {string} token */
export async function fetchDeletion(id, token) {
  const headers = { 'x-read-token': token };
  const response = await request(`/v1/tests/${id}`, { method: 'DELETE', headers });
  // A test that is already gone does not have to be deleted.
  if (!response.ok && response.status !== 404) throw await toProblem(response);
}

/** @param {string} text */
const toBase64 = (text) =>
  btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''));

/** @param {string} base64 */
const fromBase64 = (base64) =>
  new TextDecoder().decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));

/** @param {object} payment */
export const encodePayment = (payment) => toBase64(JSON.stringify(payment));

/**
 * @typedef {{ readonly scheme: string, readonly network: string, readonly amount: string, readonly asset: string, readonly payTo: string, readonly maxTimeoutSeconds: number, readonly extra?: { readonly name?: string, readonly version?: string } }} Terms
 * @typedef {{ readonly x402Version: number, readonly resource?: object, readonly accepts: readonly Terms[], readonly extensions?: object }} Challenge
 * @typedef {{ readonly report: Report, readonly challenge?: undefined } | { readonly report?: undefined, readonly challenge: Challenge, readonly problem: Problem }} Reading
 */

/**
 * Returns the report, or what has to be paid for it.
 *
 * @param {string} id
 * @param {string} token
 * @param {string} [payment]
 * @returns {Promise<Reading>}
 */
export async function fetchReport(id, token, payment) {
  const headers = { 'x-read-token': token, ...(payment && { 'payment-signature': payment }) };
  const patience = payment ? PAYMENT_PATIENCE_SECONDS : PATIENCE_SECONDS;
  const response = await request(`/v1/report?test_id=${id}`, { headers }, undefined, patience);
  if (response.status !== 402) return { report: await json(response) };
  const { problem } = await toProblem(response);
  const header = response.headers.get('payment-required');
  if (header === null) throw new ProblemError(problem);
  return { challenge: JSON.parse(fromBase64(header)), problem };
}

let endPause = () => {};

/** Ends a wait for a change that a lost network connection has forgotten. */
let poll = new AbortController();

/** Prepares the next poll, which `pollNow` ends. */
export function newPoll() {
  poll = new AbortController();
  return poll;
}

/** @param {number} ms @returns {Promise<void>} Ends early when the page comes back to the front. */
export const pause = (ms) =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    endPause = () => {
      clearTimeout(timer);
      resolve();
    };
  });

/** Ends the current pause or poll, so that nobody waits for what has already changed. */
export function pollNow() {
  endPause();
  poll.abort();
}

addEventListener('online', pollNow);
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') pollNow();
});
