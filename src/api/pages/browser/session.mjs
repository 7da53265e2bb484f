/**
 * Stores data of this browser tab in `sessionStorage`: the tests that it has opened and their tokens,
 * payments that were signed but not yet accepted, scroll positions, and the part of a report with which the
 * next one is compared. The data disappears with the tab, and no other tab sees it.
 *
 * @import { Baseline } from '../view/comparison.mjs'
 */

const OPEN = 'test:';
const TOKEN = 'token:';
const PAYMENT = 'payment:';
const PLACE = 'place:';
const BASELINE = 'baseline:';

/**
 * @template T
 * @param {() => T} act
 * @returns {T | undefined}
 */
function tolerant(act) {
  try {
    return act();
  } catch {
    return undefined;
  }
}

/** @param {string} key */
const read = (key) => tolerant(() => sessionStorage.getItem(key)) ?? undefined;

/** @param {string} key @param {string} value */
const write = (key, value) => tolerant(() => sessionStorage.setItem(key, value));

/** @param {string} key */
const remove = (key) => tolerant(() => sessionStorage.removeItem(key));

// Version 1.0.0 kept the last report in `localStorage`, where nothing ever deleted it.
tolerant(() => localStorage.removeItem('last-report'));

/** @param {string} id */
export const tokenOf = (id) => read(TOKEN + id);

/** @param {string} id @param {string} token */
export const keepToken = (id, token) => write(TOKEN + id, token);

/**
 * Signed payments of this page. In a browser without storage, they last only as long as the page. @type
 * {Map<string, string>}
 */
const payments = new Map();

/** @param {string} id */
export const signedPayment = (id) => payments.get(id) ?? read(PAYMENT + id);

/** @param {string} id @param {string} payment */
export function keepPayment(id, payment) {
  payments.set(id, payment);
  write(PAYMENT + id, payment);
}

/** @param {string} id */
export function forgetPayment(id) {
  payments.delete(id);
  remove(PAYMENT + id);
}

/** @param {string} id @param {string} address @param {number} at */
export const keepTest = (id, address, at) => write(OPEN + id, JSON.stringify({ address, at }));

/**
 * Returns the newest test that this tab has opened. @returns {{ id: string, address: string, at: number } |
 * undefined}
 */
export const lastTest = () =>
  tolerant(() =>
    Object.keys(sessionStorage)
      .filter((key) => key.startsWith(OPEN))
      .map((key) => ({ id: key.slice(OPEN.length), ...JSON.parse(read(key) ?? '{}') }))
      .sort((a, b) => b.at - a.at)
      .at(0),
  );

/**
 * @typedef {{ readonly top: number, readonly open: string }} Place the scroll position in pixels, and which
 * sections were open
 */

/** @param {string} id @returns {Place | undefined} */
export const placeOf = (id) => tolerant(() => JSON.parse(read(PLACE + id) ?? ''));

/** @param {string} id @param {Place} place */
export const keepPlace = (id, place) => write(PLACE + id, JSON.stringify(place));

/**
 * A report with which the next one is compared. `of` is the id of its test, and `until` is when the service
 * deletes it.
 *
 * @typedef {Baseline & { readonly of: string, readonly until: string }} Kept
 */

/** Key of the report with which the next test, once it is created, will be compared. */
const NEXT = 'next';

/** @param {string} id @returns {Kept | undefined} */
export const baselineOf = (id) => tolerant(() => JSON.parse(read(BASELINE + id) ?? ''));

/** Keeps a report, so that the report of the next test is compared with it. @param {Kept} kept */
export const keepBaseline = (kept) => write(BASELINE + NEXT, JSON.stringify(kept));

/** Assigns the kept report to the new test whose report will be compared with it. @param {string} id */
export function adoptBaseline(id) {
  const kept = read(BASELINE + NEXT);
  if (kept !== undefined) write(BASELINE + id, kept);
  remove(BASELINE + NEXT);
}

/** @param {string} id */
export const forgetBaseline = (id) => remove(BASELINE + id);

/**
 * Forgets the kept reports for which `fits` returns true. @param {(kept: Kept | undefined) => boolean} fits
 */
function forgetBaselines(fits) {
  const keys = tolerant(() => Object.keys(sessionStorage)) ?? [];
  for (const key of keys.filter((one) => one.startsWith(BASELINE)))
    if (fits(baselineOf(key.slice(BASELINE.length)))) remove(key);
}

/** Forgets everything about one test, including what was kept of its report. @param {string} id */
export function forgetTest(id) {
  for (const kind of [OPEN, TOKEN, PLACE, BASELINE]) remove(kind + id);
  forgetPayment(id);
  forgetBaselines((kept) => kept?.of === id);
}

/** Forgets the kept reports that the service has deleted. @param {number} now in milliseconds since 1970 */
export const forgetExpired = (now) =>
  forgetBaselines((kept) => !(Date.parse(kept?.until ?? '') > now));
