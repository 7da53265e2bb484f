/**
 * Calls the HTTP API on behalf of the pages in a browser, including the long poll that follows a test, and
 * tells the time by the service's clock.
 *
 * @import { Report } from '../../../domain/report/report.ts'
 * @import { TestStatus } from '../../schemas/tests.ts'
 */

const { root = '' } = document.documentElement.dataset;

/** Time in seconds for which the page asks the service to wait for a change. */
const WAIT_SECONDS = 30;

/** Time in seconds after which a request without a response is given up. */
const PATIENCE_SECONDS = 60;

/**
 * Time in seconds after which a payment without a response is given up. It is longer, because the service
 * waits for the chain as long as the authorization is valid.
 */
const PAYMENT_PATIENCE_SECONDS = 150;

/**
 * The members of a problem document (RFC 9457) that pages read.
 *
 * @typedef {import('../view/html.mjs').Problem & { readonly status: number, readonly error?: string }}
 * Problem
 */

/** The error for a failed request. `code` is `offline` if there was no response. */
export class ProblemError extends Error {
  /** @param {Problem} problem */
  constructor(problem) {
    super(problem.code);
    this.problem = problem;
  }
}

/** @type {Problem} */
export const OFFLINE = { status: 0, code: 'offline', retryAfter: 3 };

/** Number of milliseconds by which the service's clock is ahead of this computer's clock. */
let ahead = 0;

/** Returns the time by the service's clock, because the service sets the deadlines. */
export const now = () => Date.now() + ahead;

/** @param {Response} response */
function setClock({ headers }) {
  const date = Date.parse(headers.get('date') ?? '');
  // Small differences are ignored, because `Date` has a resolution of one second and the response took some
  // time.
  if (Math.abs(date - Date.now() - ahead) > 2000) ahead = date - Date.now();
}

/**
 * @param {string} path
 * @param {RequestInit} [init]
 * @param {AbortController} [given] for callers that may end the request themselves
 * @param {number} [seconds] after which the request is given up
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

/**
 * Every problem of the service has a code. A response without one comes from a proxy and says nothing about
 * the test or its payment, so it counts as no response.
 *
 * @param {Response} response
 */
async function toProblem(response) {
  const body = await response.json().catch(() => null);
  // A proxy may state a date instead of seconds.
  const retryAfter = Number(response.headers.get('retry-after')) || 5;
  const isOurs = typeof body?.code === 'string';
  const { status } = isOurs ? response : OFFLINE;
  return new ProblemError({ ...(isOurs ? body : OFFLINE), status, retryAfter });
}

/** @param {Response} response */
async function json(response) {
  if (!response.ok) throw await toProblem(response);
  return response.json().catch(() => {
    throw new ProblemError(OFFLINE);
  });
}

/** The latest position of the test that this page has seen. No replica responds with an older state. */
let position = '0';

/**
 * @param {string} id
 * @param {AbortController} controller
 * @param {boolean} wait for a change of the test
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
  // A test that is already gone counts as deleted.
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
 * Requests the report, and returns either the report or the challenge that says what to pay for it.
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

/**
 * Aborts the current long poll, for example when the network connection behind it has been lost unnoticed.
 */
let poll = new AbortController();

/** Prepares the next poll, which `pollNow` can end. */
export function newPoll() {
  poll = new AbortController();
  return poll;
}

/** @param {number} ms @returns {Promise<void>} Resolves early if `pollNow` is called. */
export const pause = (ms) =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    endPause = () => {
      clearTimeout(timer);
      resolve();
    };
  });

/** Ends the current pause or poll, so that the page does not wait for something that has already changed. */
export function pollNow() {
  endPause();
  poll.abort();
}

addEventListener('online', pollNow);
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') pollNow();
});
