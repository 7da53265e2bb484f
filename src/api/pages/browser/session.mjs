/**
 * What this tab keeps: the tokens of its tests, and a payment that was signed but not yet accepted. It
 * disappears with the tab, and no other tab sees it.
 */

const OPEN = 'test:';
const TOKEN = 'token:';
const PAYMENT = 'payment:';
const PLACE = 'place:';

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

/** @param {string} id */
export const tokenOf = (id) => read(TOKEN + id);

/** @param {string} id @param {string} token */
export const keepToken = (id, token) => write(TOKEN + id, token);

/** @param {string} id */
export const signedPayment = (id) => read(PAYMENT + id);

/** @param {string} id @param {string} payment */
export const keepPayment = (id, payment) => write(PAYMENT + id, payment);

/** @param {string} id */
export const forgetPayment = (id) => remove(PAYMENT + id);

/** @param {string} id @param {string} address @param {number} at */
export const keepTest = (id, address, at) => write(OPEN + id, JSON.stringify({ address, at }));

/**
 * Returns the newest test of this tab. @returns {{ id: string, address: string, at: number } | undefined}
 */
export const lastTest = () =>
  tolerant(() =>
    Object.keys(sessionStorage)
      .filter((key) => key.startsWith(OPEN))
      .map((key) => ({ id: key.slice(OPEN.length), ...JSON.parse(read(key) ?? '{}') }))
      .sort((a, b) => b.at - a.at)
      .at(0),
  );

/** @typedef {{ readonly top: number, readonly open: string }} Place what was scrolled away, in pixels, and which folds were open */

/** @param {string} id @returns {Place | undefined} */
export const placeOf = (id) => tolerant(() => JSON.parse(read(PLACE + id) ?? ''));

/** @param {string} id @param {Place} place */
export const keepPlace = (id, place) => write(PLACE + id, JSON.stringify(place));

/** Forgets everything about one test. @param {string} id */
export function forgetTest(id) {
  for (const kind of [OPEN, TOKEN, PAYMENT, PLACE]) remove(kind + id);
}
