/**
 * What a wallet answers with (EIP-1193).
 *
 * @typedef {{ request(call: { method: string, params?: readonly unknown[] }): Promise<unknown> }} Provider
 * @typedef {{ readonly id: string, readonly name: string, readonly icon: string, readonly provider: Provider }} Wallet
 */

/** Milliseconds in which wallets announce themselves; an old one does not. */
const ANNOUNCE_MS = 400;

/** @param {unknown} icon EIP-6963: a data URI. Anything else would be a request to somebody. */
const safeIcon = (icon) => (typeof icon === 'string' && icon.startsWith('data:image/') ? icon : '');

/**
 * Finds the wallets of this browser (EIP-6963), and one that only knows the old way.
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
    found.set(id, { id, name: String(name).slice(0, 60), icon: safeIcon(icon), provider });
    onChange([...found.values()]);
  };
  addEventListener('eip6963:announceProvider', add);
  dispatchEvent(new Event('eip6963:requestProvider'));
  setTimeout(() => {
    // Drawn once more, a button could go from under a finger.
    if (found.size > 0) return;
    const { ethereum } = /** @type {{ ethereum?: Provider }} */ (/** @type {unknown} */ (window));
    if (typeof ethereum?.request === 'function')
      found.set('injected', { id: 'injected', name: 'Wallet', icon: '', provider: ethereum });
    onChange([...found.values()]);
  }, ANNOUNCE_MS);
  return () => removeEventListener('eip6963:announceProvider', add);
}
