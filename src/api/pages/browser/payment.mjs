/**
 * Asks a wallet to sign a payment, after checking its chain and its balance, and explains what prevents it.
 * Also formats amounts.
 *
 * @import { Challenge, Terms } from './api.mjs'
 * @import { Provider } from './pay-flow.mjs'
 * @import { StringKey } from '../texts.ts'
 */
import { networkName } from '../view/html.mjs';
import { now } from './api.mjs';

/** Number of decimals of USD stablecoins such as USDC. */
const DECIMALS = 6;

/** Data with which a wallet can add a chain that it does not know (EIP-3085). */
const CHAINS = {
  8453: {
    rpcUrls: ['https://mainnet.base.org'],
    blockExplorerUrls: ['https://basescan.org'],
  },
  84532: {
    rpcUrls: ['https://sepolia.base.org'],
    blockExplorerUrls: ['https://sepolia.basescan.org'],
  },
};

/** The error for something that prevents the payment, with the key of the text that explains it. */
export class WalletError extends Error {
  /** @param {StringKey} key @param {Readonly<Record<string, string>>} [values] */
  constructor(key, values = {}) {
    super(key);
    this.key = key;
    this.values = values;
  }
}

/** @param {Terms} terms */
const chainIdOf = ({ network }) => Number(network.split(':')[1]);

/** Formats an amount in atomic units as dollars. @param {string | bigint} units */
export function formatAmount(units) {
  const digits = String(units).padStart(DECIMALS + 1, '0');
  const fraction = digits.slice(-DECIMALS).replace(/0+$/, '').padEnd(2, '0');
  return `${digits.slice(0, -DECIMALS)}.${fraction}`;
}

/** @param {unknown} error @returns {number} */
const codeOf = (error) => {
  const { code, data } =
    /** @type {{ code?: number, data?: { originalError?: { code?: number } } }} */ (Object(error));
  return Number(data?.originalError?.code ?? code);
};

/**
 * Explains why a wallet refused, from its error code (EIP-1193, "Provider Errors"), or from MetaMask's own
 * code for a request that is still open.
 *
 * @param {unknown} error
 * @param {StringKey} declined the text for what the reader declined, if that was the reason
 */
function explain(error, declined) {
  if (error instanceof WalletError) return error;
  const code = codeOf(error);
  /** @type {Readonly<Record<number, StringKey>>} */
  const keys = {
    4001: declined,
    4100: 'wallet_locked',
    4200: 'wallet_unsupported',
    4900: 'wallet_disconnected',
    4901: 'wallet_disconnected',
    [-32601]: 'wallet_unsupported',
    [-32002]: 'wallet_busy',
  };
  const message = String(/** @type {{ message?: unknown }} */ (Object(error)).message ?? '');
  return new WalletError(keys[code] ?? 'wallet_failed', { message: message.slice(0, 200) });
}

/** @param {Provider} provider */
async function connect(provider) {
  const accounts = await provider.request({ method: 'eth_requestAccounts' }).catch((error) => {
    throw explain(error, 'wallet_declined_connect');
  });
  const [account] = Array.isArray(accounts) ? accounts : [];
  if (typeof account !== 'string') throw new WalletError('wallet_no_account');
  return account;
}

/**
 * Error codes of a wallet that state a clear cause, after which nothing else is tried. Wallets that do not
 * know a chain, or cannot change it, use many other codes.
 */
const CLEAR = [4001, 4100, 4900, 4901, -32002];

/**
 * Time in milliseconds between two checks of a wallet's chain, and the maximum number of checks. Some wallets
 * change the chain late.
 */
const CHAIN_LOOK_MS = 250;
const CHAIN_LOOKS = 8;

/**
 * Returns the id of the wallet's current chain, or `undefined` if the wallet does not state it.
 *
 * @param {Provider} provider
 * @returns {Promise<number | undefined>}
 */
const chainOf = (provider) =>
  provider.request({ method: 'eth_chainId' }).then(Number, () => undefined);

/**
 * Resolves to true once the wallet is on this chain, or if it does not state its chain, so that only signing
 * can show it. Resolves to false if it stays on another chain.
 *
 * @param {Provider} provider
 * @param {number} id
 */
async function arrivesOn(provider, id) {
  for (let look = 1; ; look += 1) {
    const now = await chainOf(provider);
    if (now === id || now === undefined) return true;
    if (look === CHAIN_LOOKS) return false;
    await new Promise((resolve) => setTimeout(resolve, CHAIN_LOOK_MS));
  }
}

/** @param {Provider} provider @param {Terms} terms */
async function switchChain(provider, terms) {
  const id = chainIdOf(terms);
  const values = { network: networkName(terms.network) };
  if ((await chainOf(provider)) === id) return;
  const chainId = `0x${id.toString(16)}`;
  const toChain = () =>
    provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] });
  try {
    await toChain();
  } catch (error) {
    if (CLEAR.includes(codeOf(error))) throw withChain(error, values);
    const known = CHAINS[/** @type {keyof typeof CHAINS} */ (id)];
    if (!known) throw new WalletError('wallet_chain_unknown', values);
    const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 };
    try {
      await provider.request({
        method: 'wallet_addEthereumChain',
        params: [{ chainId, nativeCurrency, chainName: networkName(terms.network), ...known }],
      });
      // Some wallets only add the chain, and do not switch to it.
      if (!(await arrivesOn(provider, id))) await toChain();
    } catch (cause) {
      if (CLEAR.includes(codeOf(cause))) throw withChain(cause, values, 'wallet_declined_add');
    }
  }
  if (!(await arrivesOn(provider, id))) throw new WalletError('wallet_wrong_chain', values);
}

/** @param {unknown} error @param {{ network: string }} values @param {StringKey} [declined] */
function withChain(error, values, declined = 'wallet_declined_chain') {
  const { key, values: own } = explain(error, declined);
  return new WalletError(key, { ...own, ...values });
}

/**
 * Stops before the signature if the account has too little money. If the wallet cannot tell, the payment
 * continues.
 *
 * @param {Provider} provider
 * @param {Terms} terms
 * @param {string} account
 */
async function checkBalance(provider, terms, account) {
  const data = `0x70a08231${account.slice(2).toLowerCase().padStart(64, '0')}`;
  const call = { method: 'eth_call', params: [{ to: terms.asset, data }, 'latest'] };
  const answer = await provider.request(call).catch(() => undefined);
  if (typeof answer !== 'string' || !/^0x[0-9a-f]{1,64}$/i.test(answer)) return;
  const balance = BigInt(answer);
  if (balance >= BigInt(terms.amount)) return;
  throw new WalletError('wallet_no_money', {
    has: formatAmount(balance),
    needs: formatAmount(terms.amount),
    network: networkName(terms.network),
    account,
  });
}

const TRANSFER = {
  EIP712Domain: [
    { name: 'name', type: 'string' },
    { name: 'version', type: 'string' },
    { name: 'chainId', type: 'uint256' },
    { name: 'verifyingContract', type: 'address' },
  ],
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
};

/** @param {Terms} terms @param {string} from */
function authorize({ payTo, amount, maxTimeoutSeconds }, from) {
  const seconds = Math.floor(now() / 1000);
  const nonce = crypto.getRandomValues(new Uint8Array(32));
  return {
    from,
    to: payTo,
    value: amount,
    // The authorization has no start time, because the chain's clock may be behind. Only its end time
    // matters.
    validAfter: '0',
    validBefore: String(seconds + maxTimeoutSeconds),
    nonce: `0x${Array.from(nonce, (byte) => byte.toString(16).padStart(2, '0')).join('')}`,
  };
}

/**
 * Asks the wallet to sign a payment: EIP-3009 over EIP-712, as x402 version 2 requires. The signature alone
 * moves no money.
 *
 * @param {Provider} provider
 * @param {Challenge} challenge
 * @param {(key: StringKey) => void} onStep called with the text for what the reader has to do next
 * @returns {Promise<object>}
 */
export async function askForSignature(provider, { resource, accepts, extensions }, onStep) {
  const terms = accepts.find(
    ({ scheme, network }) => scheme === 'exact' && network.startsWith('eip155:'),
  );
  if (!terms) throw new WalletError('wallet_unsupported');
  onStep('pay_connecting');
  const account = await connect(provider);
  onStep('pay_switching');
  await switchChain(provider, terms);
  await checkBalance(provider, terms, account);
  onStep('pay_signing');
  const authorization = authorize(terms, account);
  const typed = {
    types: TRANSFER,
    domain: {
      name: terms.extra?.name,
      version: terms.extra?.version,
      chainId: chainIdOf(terms),
      verifyingContract: terms.asset,
    },
    primaryType: 'TransferWithAuthorization',
    message: authorization,
  };
  const signature = await provider
    .request({ method: 'eth_signTypedData_v4', params: [account, JSON.stringify(typed)] })
    .catch((error) => {
      throw explain(error, 'wallet_declined_sign');
    });
  if (typeof signature !== 'string' || !/^0x[0-9a-f]+$/i.test(signature))
    throw new WalletError('wallet_unsupported');
  return {
    x402Version: 2,
    ...(resource && { resource }),
    accepted: terms,
    payload: { signature, authorization },
    ...(extensions && { extensions }),
  };
}
