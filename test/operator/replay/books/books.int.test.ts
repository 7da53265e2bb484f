/** Tests the reconciliation of the log with a local chain. */

import { parseEther } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountTransfers } from '../../../../src/adapters/chain/account-transfers.ts';
import { reconcileBooks } from '../../../../src/operator/replay/books/command.ts';
import type { ReplayedSettlement } from '../../../../src/operator/replay/payments.ts';
import type { SignedPayment } from '../../../../src/ports/payment.ts';
import { type Chain, startChain } from '../../../environment/chain.ts';
import { splitSignature, transferArguments } from '../../../support/payments/authorization.ts';
import { callToken, signPayment } from '../../../support/payments/payment-chain.ts';

const network = 'eip155:8453';
let chain: Chain;
beforeAll(async () => {
  chain = await startChain();
  await chain.fundEther(chain.payer.address, parseEther('1'));
});
afterAll(() => chain?.stop());

const pay = (payment: SignedPayment) =>
  callToken(chain, chain.payer.privateKey, 'transferWithAuthorization', [
    ...transferArguments(payment as never),
    ...splitSignature(payment.signature),
  ]);

const booked = (payment: SignedPayment, id: string, transaction: string, change: object = {}) =>
  ({
    entry: {
      ...{ payment_id: id, state: 'settled', network, amount: '50000', late: false },
      ...{ transaction, block: null, ...change },
    },
    payment,
    fromBlock: 0,
    transactions: [],
  }) as unknown as ReplayedSettlement;

test('the log and the chain are compared both ways, and the sums equal the balance', async () => {
  const [good, late, lost] = await Promise.all([0, 1, 2].map(() => signPayment(chain)));
  if (!good || !late || !lost) throw new Error('not signed');
  const { transactionHash: first } = await pay(good);
  const { transactionHash: second } = await pay(late);
  const orphan = await callToken(chain, chain.payer.privateKey, 'transfer', [chain.payTo, 50_000n]);
  const missing = `0x${'7'.repeat(64)}`;
  const log = [
    booked(good, 'good', first),
    booked(late, 'late', second, { late: true }),
    booked(lost, 'lost', missing),
  ];
  const selling = { rpcUrl: chain.rpcUrl, network, asset: chain.asset, payTo: chain.payTo };
  const run = async (settlements: readonly ReplayedSettlement[], options: object = {}) => {
    const printed: Record<string, unknown>[] = [];
    const call = {
      ...{ fromBlock: undefined, toBlock: undefined, refunds: false, hint: () => {} },
      print: (line: object) => void printed.push(line as never),
      ...options,
    };
    return { code: await reconcileBooks(selling, async () => settlements, call), printed };
  };

  const { code, printed } = await run(log);
  expect(code).toBe(1);
  expect(printed.map(({ mismatch, transaction }) => [mismatch, transaction])).toEqual([
    ['late', second],
    ['missing', missing],
    ['orphan', orphan.transactionHash],
    [undefined, undefined],
  ]);
  expect(printed.at(-1)).toMatchObject({
    ...{ logged: '150000', missing: '50000', orphaned: '50000', received: '150000' },
    ...{ balance_change: '150000', closes: true },
  });

  const batch = await run(log, { refunds: true });
  expect(batch.code).toBe(1);
  expect(batch.printed).toMatchObject([{ chainId: '8453', transactions: [{}, {}] }]);

  // Up to the first payment, which is in the log, the books match.
  const { block } = (await transfers()).find(({ transaction }) => transaction === first) ?? {};
  const until = { fromBlock: 0, toBlock: block };
  expect((await run([booked(good, 'good', first, { block })], until)).code).toBe(0);
});

const transfers = () => {
  const { between, head } = accountTransfers(
    { rpcUrl: chain.rpcUrl, network },
    chain.asset,
    chain.payTo,
  );
  return head().then((newest) => between(0, newest));
};
