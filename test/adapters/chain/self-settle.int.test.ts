/**
 * Tests settlement by our own wallet on a local chain: the money moves once, after the transaction
 * is recorded, whatever a smart wallet or a node does.
 */

import type { Hex } from 'viem';
import { expect, test } from 'vitest';
import { cancellation, nowSeconds } from '../../support/payments/authorization.ts';
import { adminOf, callToken, jobOf, SOON_MS } from '../../support/payments/payment-chain.ts';
import { settleInVain, useSelfSettlement } from '../../support/payments/self-settlement.ts';

const {
  chain,
  proxy,
  judge,
  settlement,
  sign,
  transfers,
  newPayer,
  drain,
  signedOnly,
  smartWalletPayment,
} = useSelfSettlement();

const network = 'eip155:8453';
const nonceOf = (address: Hex) => adminOf(chain()).getTransactionCount({ address });

/** Code that responds as ERC-1271 requires: `isValidSignature` is true. */
const ACCEPTS = '61162660f01b61ba7e60e01b1760005260206000f3';

test('moves the money once, and records the transaction before it is sent', async () => {
  const payment = await sign();
  const job = jobOf(payment);
  const seen: unknown[] = [];
  const recordSigned: typeof job.recordSigned = async (tx) => {
    const hash = tx.transaction as Hex;
    seen.push(
      await adminOf(chain())
        .getTransaction({ hash })
        .catch(({ name }) => name),
    );
    await job.recordSigned(tx);
  };
  const outcome = await settlement().settle({ ...job, recordSigned }, SOON_MS);

  const [tx] = job.recorded;
  expect(outcome).toEqual({
    kind: 'settled',
    receipt: { success: true, transaction: tx?.transaction, network, payer: chain().payer.address },
  });
  expect(tx).toMatchObject({
    wallet: chain().hotWallet.address,
    gas: expect.stringMatching(/^\d{5,6}$/),
  });
  expect(seen).toEqual(['TransactionNotFoundError']);
  expect(await transfers()).toBe(1);
});

test('waits for a node that counts a transaction before it shows its receipt', async () => {
  const job = jobOf(await sign());
  let looks = 0;
  proxy().fail((method) => {
    if (method !== 'eth_getTransactionReceipt') return 'pass';
    looks += 1;
    return looks <= 6 ? { result: null } : 'pass';
  });
  expect(await settlement().settle(job, SOON_MS)).toMatchObject({ kind: 'settled' });
  expect(looks).toBeGreaterThan(6);
  expect(job.recorded).toHaveLength(1);
});

test('uses no gas for a payer who was drained in the meantime', async () => {
  const { key, from } = await newPayer();
  const payment = await sign({ key, from });
  await drain(key);
  const nonce = await nonceOf(chain().hotWallet.address);
  const job = jobOf(payment);
  expect(await settlement().settle(job, SOON_MS)).toEqual({
    kind: 'unknown',
    reason: 'simulation_failed',
  });
  expect(job.recorded).toEqual([]);
  expect(await nonceOf(chain().hotWallet.address)).toBe(nonce);
});

test('does not send what cannot be recorded', async () => {
  const payment = await sign();
  const [tx] = await signedOnly(payment);
  const hash = tx?.transaction as Hex;
  await expect(adminOf(chain()).getTransaction({ hash })).rejects.toThrow('could not be found');
  expect(await transfers()).toBe(0);
});

test('leaves a cancelled authorization to the chain', async () => {
  const payment = await sign();
  const args = await cancellation(chain(), payment.authorization.nonce as Hex);
  await callToken(chain(), chain().payer.privateKey, 'cancelAuthorization', args);
  const job = jobOf(payment);
  expect(await settlement().settle(job, SOON_MS)).toMatchObject({ kind: 'unknown' });
  expect(job.recorded).toEqual([]);
});

test('shows the node nothing if too little time is left', async () => {
  proxy().calls.length = 0;
  const payment = await sign({ validBefore: nowSeconds() + 5 });
  const reason = 'too_late';
  expect(await settlement().settle(jobOf(payment), SOON_MS)).toEqual({ kind: 'unknown', reason });
  expect(proxy().calls).toEqual([]);
});

test('refuses a smart wallet that burns gas', async () => {
  // The code counts down from 20,000, then responds as ERC-1271 requires. That takes about 520,000 gas.
  const from = '0x00000000000000000000000000000000000000d3';
  const bytecode: Hex = `0x62004e205b600190038060045750${ACCEPTS}`;
  await adminOf(chain()).setCode({ address: from, bytecode });
  await chain().fundToken(from, 50_000n);
  const payment = await sign({ from });
  const job = jobOf(payment);
  const reason = 'simulation_failed';
  expect(await settlement().settle(job, SOON_MS)).toEqual({ kind: 'unknown', reason });
  expect(job.recorded).toEqual([]);
});

test('refuses a smart wallet that approves only where gas costs nothing', async () => {
  const from = '0x00000000000000000000000000000000000000d4';
  const bytecode: Hex = `0x3a15600857${'5f5ffd'}5b${ACCEPTS}`;
  await adminOf(chain()).setCode({ address: from, bytecode });
  await chain().fundToken(from, 50_000n);
  const payment = await sign({ from });
  expect(await judge().checkSignature(payment)).toMatchObject({ ok: true });
  const job = jobOf(payment);
  expect(await settlement().settle(job, SOON_MS)).toMatchObject({ reason: 'simulation_failed' });
  expect(job.recorded).toEqual([]);
});

test('loses one transaction to a smart wallet that changes its mind', async () => {
  const address = '0x00000000000000000000000000000000000000d5';
  const bytecode: Hex = `0x${ACCEPTS}`;
  await adminOf(chain()).setCode({ address, bytecode });
  await chain().fundToken(address, 50_000n);
  const payment = await sign({ from: address });
  const job = jobOf(payment);
  const recordSigned: typeof job.recordSigned = async (tx) => {
    await job.recordSigned(tx);
    await adminOf(chain()).setCode({ address, bytecode: '0x5f5ffd' });
  };
  const reverted = { kind: 'unknown', reverted: expect.stringMatching(/^0x/) };
  expect(await settlement().settle({ ...job, recordSigned }, SOON_MS)).toMatchObject(reverted);
  await adminOf(chain()).setCode({ address, bytecode });
  const again = jobOf(payment, job.recorded);
  expect(await settlement().settle(again, SOON_MS)).toMatchObject(reverted);
  expect([job.recorded.length, again.recorded.length]).toEqual([1, 0]);
});

test.each(['eth_estimateGas', 'eth_getTransactionCount', 'eth_getBlockByNumber'])(
  'knows no outcome without an answer to %s, and sends nothing',
  async (one) => {
    const job = jobOf(await smartWalletPayment());
    proxy().fail((method) => (method === one ? 'cut' : 'pass'));
    const reason = 'rpc_unavailable';
    expect(await settlement().settle(job, SOON_MS)).toEqual({ kind: 'unknown', reason });
    expect(job.recorded).toEqual([]);
    expect(await transfers()).toBe(0);
  },
);

test('finds the payment even if the answer to the broadcast is lost', async () => {
  proxy().fail((method) => (method === 'eth_sendRawTransaction' ? 'lost' : 'pass'));
  const job = jobOf(await sign());
  expect(await settlement().settle(job, SOON_MS)).toMatchObject({ kind: 'settled' });
  expect(job.recorded).toHaveLength(1);
  expect(await transfers()).toBe(1);
});

test('records one transaction if a node refuses the nonce of every broadcast', async () => {
  const error = { code: -32000, message: 'nonce too low' };
  proxy().fail((method) => (method === 'eth_sendRawTransaction' ? { error } : 'pass'));
  const job = jobOf(await sign());
  await settleInVain(settlement(), job, 2_000);
  expect(job.recorded).toHaveLength(1);
  proxy().fail();
  const again = jobOf(job.payment, job.recorded);
  expect(await settlement().settle(again, SOON_MS)).toMatchObject({ kind: 'settled' });
  expect(await transfers()).toBe(1);
});

test('does not know the outcome if the RPC node is down after the broadcast', async () => {
  proxy().fail((method) => (method === 'eth_getTransactionReceipt' ? 'cut' : 'pass'));
  const job = jobOf(await sign());
  await settleInVain(settlement(), job, 1500);
  proxy().fail();
  const again = jobOf(job.payment, job.recorded);
  expect(await settlement().settle(again, SOON_MS)).toMatchObject({ kind: 'settled' });
  expect(again.recorded).toEqual([]);
  expect(await transfers()).toBe(1);
});

test('makes twenty transfers of twenty simultaneous payments with one key', async () => {
  const one = settlement();
  const payments = await Promise.all(Array.from({ length: 20 }, () => sign()));
  const outcomes = await Promise.all(
    payments.map((payment) => one.settle(jobOf(payment), SOON_MS)),
  );
  expect(outcomes.map(({ kind }) => kind)).toEqual(Array(20).fill('settled'));
  expect(await transfers()).toBe(20);
});

test('two writers that wrongly share a key get in each other’s way, not in the buyers’', async () => {
  const writers = [settlement(), settlement()];
  const payments = await Promise.all(Array.from({ length: 12 }, () => sign()));
  // A settlement that lost the race for a nonce too often is resumed, as in the service.
  const outcomes = await Promise.all(
    payments.map(async (payment, at) => {
      const writer = writers[at % 2] ?? settlement();
      let job = jobOf(payment);
      let outcome = await writer.settle(job, SOON_MS);
      for (let tries = 0; outcome.kind === 'unknown' && tries < 10; tries += 1) {
        job = jobOf(payment, [...job.signed, ...job.recorded]);
        outcome = await writer.settle(job, SOON_MS);
      }
      return outcome;
    }),
  );
  expect(outcomes.map((one) => one.kind)).toEqual(Array(12).fill('settled'));
  expect(await transfers()).toBe(12);
});
