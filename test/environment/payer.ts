/** Pays for reports with the official x402 client, and reads the receipt of a paid response. */

import { ExactEvmScheme } from '@x402/evm';
import { wrapFetchWithPaymentFromConfig } from '@x402/fetch';
import { privateKeyToAccount } from 'viem/accounts';
import type { SettlementResponse } from '../../src/domain/x402.ts';
import { decodeHeader } from '../../src/domain/x402-headers.ts';

/** Returns a `fetch` that pays 402s with the official x402 client. */
export const payingFetch = (privateKey: `0x${string}`, network: string) =>
  wrapFetchWithPaymentFromConfig(fetch, {
    schemes: [
      {
        network: network as `${string}:${string}`,
        client: new ExactEvmScheme(privateKeyToAccount(privateKey)),
      },
    ],
  });

/** Returns the receipt of a paid response. */
export function receiptOf(response: Response): SettlementResponse | undefined {
  const header = response.headers.get('payment-response');
  return header === null ? undefined : (decodeHeader(header) as SettlementResponse);
}
