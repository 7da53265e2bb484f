/**
 * Signs transactions of the hot wallet, with a key in this process or with a remote signer, whose result is
 * checked.
 */

import {
  type Hex,
  isAddressEqual,
  numberToHex,
  parseTransaction,
  recoverTransactionAddress,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { parseJson, readCapped } from '../../domain/response-body.ts';
import { SignerError } from './rpc.ts';

/** Time limit for one request to a remote signer, in milliseconds. */
const SIGNER_MS = 5_000;

/** Maximum size of a remote signer's response, in bytes. One of our transactions has a few kB. */
const MAX_ANSWER_BYTES = 64 * 1024;

/** A transaction before it is signed. */
export interface Unsigned {
  readonly chainId: number;
  readonly nonce: number;
  readonly to: Hex;
  readonly data: Hex;
  readonly gas: bigint;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

/** The holder of the hot wallet's key. */
export interface Signer {
  readonly address: Hex;
  /** Returns the signed EIP-1559 transaction. Rejects if it is not signed. */
  sign(transaction: Unsigned): Promise<Hex>;
}

/** Signs with a key in this process. */
export function keySigner(key: Hex): Signer {
  const account = privateKeyToAccount(key);
  return {
    address: account.address,
    sign: (transaction) => account.signTransaction({ ...transaction, type: 'eip1559' }),
  };
}

interface Remote {
  readonly url: string;
  readonly address: string;
}

/**
 * Signs with a key in another process, through the JSON-RPC method `eth_signTransaction`, as Web3Signer
 * offers it. The result is compared with the request: nothing else is ever recorded or sent.
 */
export function remoteSigner({ url, address: text }: Remote): Signer {
  const address = text as Hex;
  return {
    address,
    async sign(transaction) {
      const { chainId, nonce, gas, maxFeePerGas, maxPriorityFeePerGas, to, data } = transaction;
      const numbers = { chainId, nonce, gas, maxFeePerGas, maxPriorityFeePerGas };
      const quantities = Object.entries(numbers).map(([name, one]) => [name, numberToHex(one)]);
      const call = { from: address, to, data, value: '0x0', ...Object.fromEntries(quantities) };
      const raw = await ask(url, call);
      const signed = await read(raw).catch(() => undefined);
      const isSame =
        signed?.type === 'eip1559' &&
        isAddressEqual(signed.by, address) &&
        signed.to?.toLowerCase() === to.toLowerCase() &&
        (signed.data ?? '0x') === data.toLowerCase() &&
        (signed.value ?? 0n) === 0n &&
        Object.entries(numbers).every(
          ([name, one]) => BigInt(signed[name as 'nonce'] ?? 0) === BigInt(one),
        );
      if (!isSame) throw new SignerError('The signer signed something else.');
      return raw;
    },
  };
}

async function read(raw: Hex) {
  const by = await recoverTransactionAddress({ serializedTransaction: raw as never });
  return { ...parseTransaction(raw), by };
}

/**
 * Asks the signer. An error names only the kind of failure, because a signer's URL may contain a password.
 */
async function ask(url: string, call: object): Promise<Hex> {
  const method = 'eth_signTransaction';
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [call] });
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(SIGNER_MS),
  }).catch(() => undefined);
  const text = response && (await readCapped(response, MAX_ANSWER_BYTES).catch(() => undefined));
  if (text === undefined) throw new SignerError('The signer did not respond.');
  const raw = rawOf(text);
  if (raw === undefined) throw new SignerError('The signer did not sign.');
  return raw;
}

/** Web3Signer responds with the bytes, and nodes respond with an object that contains the bytes. */
function rawOf(text: string): Hex | undefined {
  const { result } = Object(parseJson(text)) as { readonly result?: unknown };
  const raw = typeof result === 'object' ? (result as { raw?: unknown } | null)?.raw : result;
  return typeof raw === 'string' && /^0x[0-9a-f]+$/i.test(raw) ? (raw as Hex) : undefined;
}
