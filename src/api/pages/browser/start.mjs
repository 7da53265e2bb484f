/**
 * Finds out which test the page is about, and the key of its report. The key comes either with the response
 * that created the test, or after the # sign of a link. From there it is moved to the storage of this tab: in
 * the address, it would appear in the browser's history, on screenshots and on paper.
 *
 * This module runs first: it requests the test while the other modules are still loading.
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
const { id: given, token: fresh, mailDomain, sendCommand, sells: price, network } = stage.dataset;
delete stage.dataset.token;

const id = given ?? /\/t\/([a-z2-7]{12})\/?$/.exec(location.pathname)?.[1] ?? '';

const after = location.hash.slice(1);
const isKey = /^[\w-]{43}$/.test(after);

/** The key to the report; empty if this tab does not have it. */
const token = fresh ?? (isKey ? after : tokenOf(id)) ?? '';

const path = `${document.documentElement.dataset.root ?? ''}/t/${id}`;

/**
 * The test that the page is about. `link` opens its report in any browser. `isCut` means that the link to
 * this page was not copied in full. `isReturn` means that the test was created before this page was loaded.
 */
export const thisTest = {
  id,
  token,
  address: `${id}@${mailDomain}`,
  command: sendCommand,
  offer: price && network ? { price, network } : undefined,
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
// If nothing can be stored, the key stays in the address.
const hash = tokenOf(id) === token ? (isKey ? '' : location.hash) : `#${token}`;
if (id !== '') history.replaceState(history.state, '', path + hash);

/**
 * True if the report is requested together with the status, because someone who returns to a test usually
 * wants its report.
 */
const asksForReport = thisTest.isReturn && signedPayment(id) === undefined;

const firstPoll = newPoll();

/** The first requests of this page, which are in progress. */
export const begun = {
  poll: firstPoll,
  status: fetchStatus(id, firstPoll, false),
  report: asksForReport ? fetchReport(id, token) : undefined,
};

// Errors are handled by the code that awaits these requests later.
begun.status.catch(() => {});
begun.report?.catch(() => {});
