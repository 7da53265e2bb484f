import { createWalletClient, http, publicActions } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { base } from 'viem/chains';
import contracts from '../../../environment/token/contracts.json' with { type: 'json' };
import { splitSignature, transferArguments } from '../../../support/payments/authorization.ts';
import { readReport } from '../../../support/payments/payment-environment.ts';
import type { PaymentFixtures } from '../../../support/payments/payment-fixtures.ts';
import type { Figure } from '../figures.ts';
import { alternate, median } from '../statistics.ts';

const WARM_UPS = 10;
const ROUNDS = 30;

/** What the service may take beside the chain, in milliseconds. */
const MOST_MS = 30;

/** Between two looks for the receipt, in milliseconds. */
const LOOK_MS = 10;

/**
 * One sale after the other, through a node that answers at once: from the request with its payment to the
 * report. The yardstick sends the same transfer by itself, and waits for its block.
 */
export async function measurePaidRead(
  fixtures: PaymentFixtures,
  replica: { readonly http: string },
): Promise<Figure[]> {
  const { chain, proxy } = fixtures;
  const wallet = createWalletClient({
    account: privateKeyToAccount(chain.hotWallet.privateKey),
    chain: base,
    transport: http(proxy.url, { retryCount: 0 }),
    pollingInterval: LOOK_MS,
  }).extend(publicActions);

  async function paidRead(): Promise<number> {
    const { test, header } = await fixtures.purchase();
    const begin = performance.now();
    const { status } = await readReport(replica, test, header);
    const took = performance.now() - begin;
    if (status !== 200) throw new Error(`A paid read was answered ${status}.`);
    return took;
  }

  async function transfer(): Promise<number> {
    const { signed } = await fixtures.purchase();
    const begin = performance.now();
    const hash = await wallet.writeContract({
      address: chain.asset,
      abi: contracts.UsdToken.abi,
      functionName: 'transferWithAuthorization',
      args: [...transferArguments(signed), ...splitSignature(signed.signature)],
    });
    const { status } = await wallet.waitForTransactionReceipt({ hash });
    const took = performance.now() - begin;
    if (status !== 'success') throw new Error('A transfer was reverted.');
    return took;
  }

  await alternate(WARM_UPS, paidRead, transfer);
  const pairs = await alternate(ROUNDS, paidRead, transfer);
  return [
    {
      what: 'paid read, and the transfer alone',
      value: median(pairs.map(({ ours }) => ours)),
      yardstick: median(pairs.map(({ yardstick }) => yardstick)),
      unit: 'ms',
    },
    {
      what: "of a paid read beyond the chain's own time",
      value: median(pairs.map(({ ours, yardstick }) => ours - yardstick)),
      unit: 'ms',
      target: { most: MOST_MS },
    },
  ];
}
