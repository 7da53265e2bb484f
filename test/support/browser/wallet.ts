/** Installs a browser wallet with a real key in a page. */

import type { Page } from 'playwright-core';
import { privateKeyToAccount } from 'viem/accounts';

type Answer = unknown | Promise<unknown>;

/** How a wallet handles calls. An error that it throws is its refusal, with a `code`. */
export type Behaviour = Readonly<Record<string, (params: readonly never[]) => Answer>>;

/** How wallets refuse (EIP-1193). */
export const refuse =
  (code: number, message = 'refused') =>
  (): never => {
    throw Object.assign(new Error(message), { code });
  };

/** Announces itself as wallets do (EIP-6963). Calls are handled in the test. */
const ANNOUNCE = (name: string) => `
  const provider = { async request(call) {
    const { result, error } = await window.walletCall(call);
    if (error) throw error;
    return result;
  } };
  const info = { uuid: 'b4a53b6e-${name}', name: '${name}', rdns: 'example.wallet',
    icon: 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle cx="4" cy="4" r="4"/></svg>' };
  const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }));
  addEventListener('eip6963:requestProvider', announce);
  announce();`;

/** Installs a wallet with a real key. `calls` has the methods that were called. */
export async function installWallet(
  page: Page,
  privateKey: `0x${string}`,
  { chainId = 8453, behaviour = {} }: { chainId?: number; behaviour?: Behaviour } = {},
) {
  const account = privateKeyToAccount(privateKey);
  const calls: string[] = [];
  const state = { behaviour };
  const answers: Behaviour = {
    eth_requestAccounts: () => [account.address],
    eth_chainId: () => `0x${chainId.toString(16)}`,
    wallet_switchEthereumChain: () => null,
    eth_call: () => `0x${'f'.repeat(16).padStart(64, '0')}`,
    eth_signTypedData_v4: ([, typed]) => account.signTypedData(JSON.parse(String(typed))),
  };
  await page.exposeFunction('walletCall', async (call: { method: string; params?: never[] }) => {
    calls.push(call.method);
    try {
      const answer = state.behaviour[call.method] ?? answers[call.method] ?? refuse(4200);
      return { result: await answer(call.params ?? []) };
    } catch (error) {
      const { code, message } = error as { code?: number; message: string };
      return { error: { code, message } };
    }
  });
  await page.addInitScript(ANNOUNCE('Test Wallet'));
  return {
    calls,
    /** Sets how the wallet behaves from now on. */
    behave(next: Behaviour) {
      state.behaviour = next;
    },
  };
}
