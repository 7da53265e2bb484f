/**
 * Which test this page is of, and the key of its report. The key comes with the answer that created the
 * test, or after the # sign of a link. From there it goes into the storage of this tab: in the address
 * it would stay in the history of the browser, on screenshots and on paper.
 *
 * This module is the first one that runs: it asks for the test while the others are still on their way.
 */
import { fetchReport, fetchStatus, newPoll } from './api.mjs';
import { keepTest, keepToken, signedPayment, tokenOf } from './session.mjs';

const stage = /** @type {HTMLElement} */ (document.querySelector('[data-test]'));
const { id: given, token: fresh, mailDomain, sendCommand } = stage.dataset;
delete stage.dataset.token;

const id = given ?? /\/t\/([a-z2-7]{12})\/?$/.exec(location.pathname)?.[1] ?? '';

const after = location.hash.slice(1);
const isKey = /^[\w-]{43}$/.test(after);

/** Empty: this tab does not have it. */
const token = fresh ?? (isKey ? after : tokenOf(id)) ?? '';

const path = `${document.documentElement.dataset.root ?? ''}/t/${id}`;

/**
 * The test of this page. `link` opens its report anywhere; `isCut`: the link that led here was not copied
 * whole; `isReturn`: the test was created before this page was loaded.
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

if (token !== '') {
  keepToken(id, token);
  keepTest(id, thisTest.address, Date.now());
}
// Where nothing can be kept, the address alone has to do.
const hash = tokenOf(id) === token ? (isKey ? '' : location.hash) : `#${token}`;
if (id !== '') history.replaceState(history.state, '', path + hash);

/** Whoever comes back to a test usually comes for its report, so it is asked for beside the status. */
const asksForReport = thisTest.isReturn && signedPayment(id) === undefined;

const poll = newPoll();

/** The first calls of this page, under way. */
export const begun = {
  poll,
  status: fetchStatus(id, poll, false),
  report: asksForReport ? fetchReport(id, token) : undefined,
};

// Whoever awaits them later handles what goes wrong.
begun.status.catch(() => {});
begun.report?.catch(() => {});
