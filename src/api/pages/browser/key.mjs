/**
 * Which test this page is of, and the key of its report. The key comes with the answer that created the
 * test, or after the # sign of a link. From there it goes into the storage of this tab: in the address
 * it would stay in the history of the browser, on screenshots and on paper.
 */
import { context } from './context.mjs';
import { keepTest, keepToken, tokenOf } from './session.mjs';

const stage = /** @type {HTMLElement} */ (document.querySelector('[data-test]'));
const { id: given, token: fresh, mailDomain, sendCommand } = stage.dataset;
delete stage.dataset.token;

const id = given ?? /\/t\/([a-z2-7]{12})\/?$/.exec(location.pathname)?.[1] ?? '';

const after = location.hash.slice(1);
const isKey = /^[\w-]{43}$/.test(after);

/** Empty: this tab does not have it. */
const token = fresh ?? (isKey ? after : tokenOf(id)) ?? '';

const path = context.href(`/t/${id}`);

/**
 * The test of this page. `link` opens its report anywhere; `isCut`: the link that led here was not copied
 * whole.
 */
export const thisTest = {
  id,
  token,
  address: `${id}@${mailDomain}`,
  command: sendCommand,
  link: token === '' ? undefined : `${location.origin}${path}#${token}`,
  isCut: token === '' && after !== '',
};

if (token !== '') {
  keepToken(id, token);
  keepTest(id, thisTest.address, Date.now());
}
// Where nothing can be kept, the address alone has to do.
const hash = tokenOf(id) === token ? (isKey ? '' : location.hash) : `#${token}`;
if (id !== '') history.replaceState(history.state, '', path + hash);
