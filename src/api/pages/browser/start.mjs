/**
 * Finds out which test this page is about, and the key of its report. The key comes with the response that
 * created the test, or after the # sign of a link. From there it goes into the storage of this tab: in the
 * address, it would stay in the browser's history, on screenshots and on paper.
 *
 * This module runs first: it requests the test while the others are still loading.
 */
import { fetchReport, fetchStatus, newPoll } from './api.mjs';
import {
  adoptBaseline,
  forgetExpired,
  keepTest,
  keepToken,
  signedPayment,
  tokenOf,
} from './session.mjs';

const stage = /** @type {HTMLElement} */ (document.querySelector('[data-test]'));
const { id: given, token: fresh, mailDomain, sendCommand } = stage.dataset;
delete stage.dataset.token;

const id = given ?? /\/t\/([a-z2-7]{12})\/?$/.exec(location.pathname)?.[1] ?? '';

const after = location.hash.slice(1);
const isKey = /^[\w-]{43}$/.test(after);

/** Empty if this tab does not have the key. */
const token = fresh ?? (isKey ? after : tokenOf(id)) ?? '';

const path = `${document.documentElement.dataset.root ?? ''}/t/${id}`;

/**
 * The test of this page. `link` opens its report anywhere; `isCut` means that the link that led here was not
 * copied in full; `isReturn` means that the test was created before this page was loaded.
 */
export const thisTest = {
  id,
  token,
  address: `${id}@${mailDomain}`,
  command: sendCommand,
  link: token === '' ? undefined : `${location.origin}${path}#${token}`,
  isCut: token === '' && after !== '',
  isReturn: token !== '' && fresh === undefined,
};

forgetExpired(Date.now());
if (fresh !== undefined) adoptBaseline(id);
if (token !== '') {
  keepToken(id, token);
  keepTest(id, thisTest.address, Date.now());
}
// If nothing can be stored, the address alone has to do.
const hash = tokenOf(id) === token ? (isKey ? '' : location.hash) : `#${token}`;
if (id !== '') history.replaceState(history.state, '', path + hash);

/**
 * Someone who comes back to a test usually comes for its report, so it is requested together with the status.
 */
const asksForReport = thisTest.isReturn && signedPayment(id) === undefined;

const poll = newPoll();

/** The first calls of this page, in progress. */
export const begun = {
  poll,
  status: fetchStatus(id, poll, false),
  report: asksForReport ? fetchReport(id, token) : undefined,
};

// The code that awaits them later handles the errors.
begun.status.catch(() => {});
begun.report?.catch(() => {});
