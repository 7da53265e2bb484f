import { type Hex, pad, parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { selfSettlement } from '../../../src/adapters/chain/self-settlement.ts';
import { type Chain, startChain } from '../../../src/cli/demo/chain.ts';
import stub from '../../fixtures/token/contracts.json' with { type: 'json' };
import { cancellation, nowSeconds } from '../../support/authorization.ts';
import { adminOf, callToken, jobOf, signPayment, soon } from '../../support/payment-chain.ts';
import { startRpcProxy } from '../../support/rpc-proxy.ts';

const network = 'eip155:8453';
let chain: Chain;
let proxy: Awaited<ReturnType<typeof startRpcProxy>>;
let received = 0n;

beforeAll(async () => {
  chain = await startChain();
  proxy = await startRpcProxy(chain.rpcUrl);
  await chain.fundEther(chain.payer.address, parseEther('1'));
});
beforeEach(async () => {
  received = await chain.usdcBalance(chain.payTo);
});
afterEach(() => proxy.fail());
afterAll(async () => {
  await proxy.stop();
  await chain.stop();
});

const settlement = (key: Hex = chain.hotWallet.privateKey, patienceMs = 12_000) =>
  selfSettlement({ rpcUrl: proxy.url, network, key, clock: Date.now, patienceMs });

/** Payments that reached us since the test began. */
const transfers = async () => Number((await chain.usdcBalance(chain.payTo)) - received) / 50_000;

const nonceOf = (address: Hex) => adminOf(chain).getTransactionCount({ address });

/** A payer of its own with some money. */
async function newPayer(amount = 50_000n) {
  const key = generatePrivateKey();
  const { address } = privateKeyToAccount(key);
  await chain.fundToken(address, amount);
  return { key, from: address };
}

/** Takes everything the payer has. */
async function drain(key: Hex) {
  const { address } = privateKeyToAccount(key);
  await chain.fundEther(address, parseEther('1'));
  const amount = await chain.usdcBalance(address);
  await callToken(chain, key, 'transfer', ['0x00000000000000000000000000000000000000d1', amount]);
}

/** A transaction that is in the log and was never sent. */
async function signedOnly(payment: Awaited<ReturnType<typeof signPayment>>, key?: Hex) {
  const job = jobOf(payment);
  const recordSigned: typeof job.recordSigned = async (tx) => {
    await job.recordSigned(tx);
    throw new Error('no answer from the log');
  };
  expect(await settlement(key).settle({ ...job, recordSigned }, soon())).toMatchObject({
    kind: 'unknown',
  });
  return job.recorded;
}

describe('verify', () => {
  test('takes a good payment and moves nothing', async () => {
    expect(await settlement().verify(await signPayment(chain), soon())).toEqual({ ok: true });
    expect(await transfers()).toBe(0);
  });

  test('takes a smart wallet with a signature of 100 bytes', async () => {
    const payment = await smartWalletPayment();
    expect(await settlement().verify(payment, soon())).toEqual({ ok: true });
  });

  const elsewhere = '0x00000000000000000000000000000000000000d2';
  test.each([
    ['invalid_exact_evm_signature', () => signPayment(chain, { key: generatePrivateKey() })],
    ['invalid_exact_evm_signature', () => tampered({ validAfter: '1' })],
    ['invalid_exact_evm_signature', () => tampered({ to: elsewhere })],
    ['invalid_exact_evm_signature', () => tampered({ value: '50001' })],
    ['invalid_exact_evm_signature', () => tampered({ from: elsewhere })],
    ['invalid_exact_evm_signature', () => tampered({ validAfter: '9'.repeat(78) })],
    ['invalid_exact_evm_recipient_mismatch', () => signPayment(chain, { to: elsewhere })],
    [
      'invalid_exact_evm_payload_authorization_value_mismatch',
      () => signPayment(chain, { value: 1n }),
    ],
    [
      'invalid_exact_evm_payload_authorization_valid_before',
      () => signPayment(chain, { validBefore: nowSeconds() }),
    ],
    [
      'invalid_exact_evm_payload_authorization_valid_after',
      () => signPayment(chain, { validAfter: nowSeconds() + 60 }),
    ],
    [
      'invalid_exact_evm_insufficient_balance',
      async () => signPayment(chain, await newPayer(49_999n)),
    ],
    ['invalid_exact_evm_token_name_mismatch', () => otherName()],
  ])('refuses with %s', async (reason, payment) => {
    expect(await settlement().verify(await payment(), soon())).toEqual({ ok: false, reason });
  });

  test('refuses a payment that was made', async () => {
    const payment = await signPayment(chain);
    await settlement().settle(jobOf(payment), soon());
    const reason = 'invalid_exact_evm_nonce_already_used';
    expect(await settlement().verify(payment, soon())).toEqual({ ok: false, reason });
  });

  // Each of them, taken as an answer, would call a good payment a wrong one.
  test.each(['eth_call', 'eth_getCode'])(
    'does not take a failed %s for a wrong payment',
    async (one) => {
      for (const fate of ['cut', { error: { code: -32603, message: 'internal error' } }] as const) {
        proxy.fail((method) => (method === one ? fate : 'pass'));
        const failure = await settlement()
          .verify(await smartWalletPayment(), soon())
          .catch((error) => error);
        expect(failure).toMatchObject({ name: 'RpcError' });
        expect(JSON.stringify([failure.message, failure.stack])).not.toContain(proxy.url);
      }
    },
  );

  test('ends at its deadline', async () => {
    proxy.fail(() => 'hang');
    const verdict = settlement().verify(await signPayment(chain), soon(100));
    await expect(verdict).rejects.toThrow('no answer');
  });
});

describe('settle', () => {
  test('moves the money once, and the transaction is durable before it is sent', async () => {
    const payment = await signPayment(chain);
    const job = jobOf(payment);
    const seen: unknown[] = [];
    const recordSigned: typeof job.recordSigned = async (tx) => {
      const hash = tx.transaction as Hex;
      seen.push(
        await adminOf(chain)
          .getTransaction({ hash })
          .catch(({ name }) => name),
      );
      await job.recordSigned(tx);
    };
    const outcome = await settlement().settle({ ...job, recordSigned }, soon());

    const [tx] = job.recorded;
    expect(outcome).toEqual({
      kind: 'settled',
      receipt: { success: true, transaction: tx?.transaction, network, payer: chain.payer.address },
      block: expect.any(Number),
    });
    expect(tx).toMatchObject({
      wallet: chain.hotWallet.address,
      gas: expect.stringMatching(/^\d{5,6}$/),
    });
    expect(seen).toEqual(['TransactionNotFoundError']);
    expect(await transfers()).toBe(1);
  });

  test('the same authorization again moves nothing more', async () => {
    const payment = await signPayment(chain);
    await settlement().settle(jobOf(payment), soon());
    const again = jobOf(payment);
    expect(await settlement().settle(again, soon())).toMatchObject({ kind: 'unknown' });
    expect(again.recorded).toEqual([]);
    expect(await transfers()).toBe(1);
  });

  test('the same authorization at once moves the money once', async () => {
    const payment = await signPayment(chain);
    const jobs = [jobOf(payment), jobOf(payment)];
    const kinds = await Promise.all(
      jobs.map(async (job) => (await settlement().settle(job, soon())).kind),
    );
    expect(kinds).toContain('settled');
    expect(kinds).not.toContain('refused');
    expect(await transfers()).toBe(1);
  });

  test('a payer who was drained after verify is refused, and no gas is spent', async () => {
    const { key, from } = await newPayer();
    const payment = await signPayment(chain, { key, from });
    expect(await settlement().verify(payment, soon())).toEqual({ ok: true });
    await drain(key);

    const nonce = await nonceOf(chain.hotWallet.address);
    const job = jobOf(payment);
    expect(await settlement().settle(job, soon())).toEqual({
      kind: 'refused',
      reason: 'invalid_exact_evm_insufficient_balance',
    });
    expect(job.recorded).toEqual([]);
    expect(await nonceOf(chain.hotWallet.address)).toBe(nonce);
  });

  test('what cannot be recorded is not sent', async () => {
    const payment = await signPayment(chain);
    const [tx] = await signedOnly(payment);
    const hash = tx?.transaction as Hex;
    await expect(adminOf(chain).getTransaction({ hash })).rejects.toThrow('could not be found');
    expect(await transfers()).toBe(0);
  });

  test('a cancelled authorization is left to the chain', async () => {
    const payment = await signPayment(chain);
    const args = await cancellation(chain, payment.authorization.nonce as Hex);
    await callToken(chain, chain.payer.privateKey, 'cancelAuthorization', args);
    const job = jobOf(payment);
    expect(await settlement().settle(job, soon())).toMatchObject({ kind: 'unknown' });
    expect(job.recorded).toEqual([]);
  });

  test('one that expires under way is refused while nothing is signed', async () => {
    const payment = await signPayment(chain, { validBefore: nowSeconds() + 2 });
    expect(await settlement().settle(jobOf(payment), soon())).toEqual({
      kind: 'refused',
      reason: 'invalid_exact_evm_payload_authorization_valid_before',
    });
  });

  test('a smart wallet pays', async () => {
    const outcome = await settlement().settle(jobOf(await smartWalletPayment()), soon());
    expect(outcome).toMatchObject({ kind: 'settled' });
    expect(await transfers()).toBe(1);
  });

  test('a smart wallet that burns gas is refused', async () => {
    // Counts down from 20,000, then answers as ERC-1271 wants it: about 520,000 gas.
    const from = '0x00000000000000000000000000000000000000d3';
    const bytecode: Hex = `0x62004e205b60019003806004575061${'1626'}60f01b61ba7e60e01b1760005260206000f3`;
    await adminOf(chain).setCode({ address: from, bytecode });
    await chain.fundToken(from, 50_000n);
    const payment = await signPayment(chain, { from });
    expect(await settlement().verify(payment, soon())).toEqual({ ok: true });
    expect(await settlement().settle(jobOf(payment), soon())).toMatchObject({ kind: 'refused' });
  });

  test.each([
    'eth_call',
    'eth_getCode',
    'eth_estimateGas',
    'eth_getTransactionCount',
    'eth_getBlockByNumber',
  ])('without an answer to %s nobody knows, and nothing was sent', async (one) => {
    // A smart wallet's: for a plain one, a simulation that succeeds is answer enough.
    const job = jobOf(await smartWalletPayment());
    proxy.fail((method) => (method === one ? 'cut' : 'pass'));
    const reason = 'rpc_unavailable';
    expect(await settlement().settle(job, soon())).toEqual({ kind: 'unknown', reason });
    expect(job.recorded).toEqual([]);
    expect(await transfers()).toBe(0);
  });

  test('a lost answer to the broadcast does not hide the payment', async () => {
    proxy.fail((method) => (method === 'eth_sendRawTransaction' ? 'lost' : 'pass'));
    const job = jobOf(await signPayment(chain));
    expect(await settlement().settle(job, soon())).toMatchObject({ kind: 'settled' });
    expect(job.recorded).toHaveLength(1);
    expect(await transfers()).toBe(1);
  });

  test('an RPC that is down after the broadcast leaves it unknown, with the hash', async () => {
    proxy.fail((method) => (method === 'eth_getTransactionReceipt' ? 'cut' : 'pass'));
    const job = jobOf(await signPayment(chain));
    expect(await settlement().settle(job, soon(1500))).toMatchObject({
      kind: 'unknown',
      transaction: job.recorded[0]?.transaction,
    });
    proxy.fail();
    const again = jobOf(job.payment, job.recorded);
    expect(await settlement().resume(again, soon())).toMatchObject({ kind: 'settled' });
    expect(again.recorded).toEqual([]);
    expect(await transfers()).toBe(1);
  });

  test('a dead RPC ends it at the deadline', async () => {
    proxy.fail(() => 'hang');
    const outcome = await settlement().settle(jobOf(await signPayment(chain)), soon(100));
    expect(outcome).toEqual({ kind: 'unknown', reason: 'rpc_unavailable' });
  });

  test('twenty at once on one key are twenty transfers', async () => {
    const one = settlement();
    const payments = await Promise.all(Array.from({ length: 20 }, () => signPayment(chain)));
    const outcomes = await Promise.all(
      payments.map((payment) => one.settle(jobOf(payment), soon())),
    );
    expect(outcomes.map(({ kind }) => kind)).toEqual(Array(20).fill('settled'));
    expect(await transfers()).toBe(20);
  });

  test('two writers that wrongly share a key get in each other’s way, not in the buyers’', async () => {
    const writers = [settlement(), settlement()];
    const payments = await Promise.all(Array.from({ length: 12 }, () => signPayment(chain)));
    const outcomes = await Promise.all(
      payments.map((payment, at) => writers[at % 2]?.settle(jobOf(payment), soon())),
    );
    expect(outcomes.map((one) => one?.kind)).toEqual(Array(12).fill('settled'));
    expect(await transfers()).toBe(12);
  });
});

describe('resume', () => {
  test('without a transaction it settles as new', async () => {
    const job = jobOf(await signPayment(chain));
    expect(await settlement().resume(job, soon())).toMatchObject({ kind: 'settled' });
    expect(await transfers()).toBe(1);
  });

  test.each(['the same replica', 'another replica'])(
    '%s sends the stored transaction',
    async (who) => {
      const payment = await signPayment(chain);
      const recorded = await signedOnly(payment);
      const key = who === 'another replica' ? generatePrivateKey() : undefined;
      const job = jobOf(payment, recorded);
      // The hot wallet's place may be taken by then: an own key leaves it free.
      expect(await settlement(key).resume(job, soon())).toMatchObject({
        kind: 'settled',
        receipt: { transaction: recorded[0]?.transaction },
      });
      expect(job.recorded).toEqual([]);
      expect(await transfers()).toBe(1);
    },
  );

  test('settle with a transaction on record is a resume', async () => {
    const payment = await signPayment(chain);
    const recorded = await signedOnly(payment);
    const job = jobOf(payment, recorded);
    expect(await settlement().settle(job, soon())).toMatchObject({ kind: 'settled' });
    expect(job.recorded).toEqual([]);
    expect(await transfers()).toBe(1);
  });

  test('a transaction whose place was taken is signed anew', async () => {
    const payment = await signPayment(chain);
    const recorded = await signedOnly(payment);
    await settlement().settle(jobOf(await signPayment(chain)), soon());
    const job = jobOf(payment, recorded);
    expect(await settlement().resume(job, soon())).toMatchObject({ kind: 'settled' });
    expect(job.recorded).toHaveLength(1);
    expect(job.recorded[0]).not.toHaveProperty('replaces');
    expect(await transfers()).toBe(2);
  });

  test('a transaction that reverted is signed anew once the payer can pay', async () => {
    const { key, from } = await newPayer();
    const payment = await signPayment(chain, { key, from });
    const recorded = await signedOnly(payment);
    await drain(key);
    const poor = jobOf(payment, recorded);
    expect(await settlement().resume(poor, soon())).toMatchObject({ kind: 'unknown' });
    expect(poor.recorded).toEqual([]);

    await chain.fundToken(from, 50_000n);
    const rich = jobOf(payment, recorded);
    expect(await settlement().resume(rich, soon())).toMatchObject({ kind: 'settled' });
    expect(rich.recorded).toHaveLength(1);
    expect(await transfers()).toBe(1);
  });

  test('four that came to nothing are enough', async () => {
    const payment = await signPayment(chain);
    const [tx] = await signedOnly(payment);
    await settlement().settle(jobOf(await signPayment(chain)), soon());
    if (!tx) throw new Error('nothing was signed');
    const resumed = async (count: number) => {
      const job = jobOf(payment, Array(count).fill(tx));
      return { job, outcome: await settlement().resume(job, soon()) };
    };
    const { job, outcome } = await resumed(4);
    expect(outcome).toMatchObject({ kind: 'unknown', reason: 'not_mined' });
    expect(job.recorded).toEqual([]);
    expect((await resumed(3)).outcome).toMatchObject({ kind: 'settled' });
  });

  test('with less than twenty seconds of validity nothing is signed anew', async () => {
    const payment = await signPayment(chain, { validBefore: nowSeconds() + 15 });
    const recorded = await signedOnly(payment);
    await settlement().settle(jobOf(await signPayment(chain)), soon());
    const job = jobOf(payment, recorded);
    expect(await settlement().resume(job, soon())).toMatchObject({ kind: 'unknown' });
    expect(job.recorded).toEqual([]);
  });

  test('a stranger’s transaction that is stuck is overtaken', async () => {
    const stranger = generatePrivateKey();
    const { address } = privateKeyToAccount(stranger);
    await chain.fundEther(address, parseEther('1'));
    const payment = await signPayment(chain);
    // A gap before it: it cannot be mined.
    const set = (nonce: number) => adminOf(chain).setNonce({ address, nonce });
    await set(7);
    const recorded = await signedOnly(payment, stranger);
    await set(5);
    const job = jobOf(payment, recorded);
    expect(await settlement(chain.hotWallet.privateKey, 200).resume(job, soon())).toMatchObject({
      kind: 'settled',
    });
    expect(job.recorded).toMatchObject([{ wallet: chain.hotWallet.address }]);
    expect(await transfers()).toBe(1);
  });
});

describe('a chain that does not mine', () => {
  let slow: Chain;
  const mine = () => adminOf(slow).mine({ blocks: 1 });
  const on = (patienceMs: number) =>
    selfSettlement({
      rpcUrl: slow.rpcUrl,
      network,
      key: slow.hotWallet.privateKey,
      clock: Date.now,
      patienceMs,
    });

  beforeAll(async () => {
    slow = await startChain();
    await adminOf(slow).setAutomine(false);
  });
  afterAll(() => slow.stop());

  test('the fees are raised, and the first or the second is mined, never both', async () => {
    const job = jobOf(await signPayment(slow));
    const outcome = on(100).settle(job, soon());
    await expect.poll(() => job.recorded.length, { timeout: 5000 }).toBeGreaterThan(1);
    const [first, second] = job.recorded;
    await mine();

    expect(await outcome).toMatchObject({ kind: 'settled' });
    expect(second).toMatchObject({
      replaces: first?.transaction,
      wallet_nonce: first?.wallet_nonce,
      gas: first?.gas,
    });
    expect(Number(second?.max_fee_per_gas)).toBeGreaterThan(1.125 * Number(first?.max_fee_per_gas));
    expect(await slow.usdcBalance(slow.payTo)).toBe(50_000n);
  });

  test('a transaction that is not mined in time is unknown, and its raises have an end', async () => {
    const before = await slow.usdcBalance(slow.payTo);
    const job = jobOf(await signPayment(slow));
    expect(await on(20).settle(job, soon(2000))).toMatchObject({ kind: 'unknown' });
    expect(job.recorded).toHaveLength(9);
    await mine();
    const again = jobOf(job.payment, job.recorded);
    expect(await on(20).resume(again, soon())).toMatchObject({ kind: 'settled' });
    expect(again.recorded).toEqual([]);
    expect(await slow.usdcBalance(slow.payTo)).toBe(before + 50_000n);
  });

  test('two writers on one key with both in the pool: each transfer happens once', async () => {
    const before = await slow.usdcBalance(slow.payTo);
    const payments = await Promise.all(Array.from({ length: 6 }, () => signPayment(slow)));
    const [one, other] = [on(12_000), on(12_000)];
    let done = false;
    const outcomes = Promise.all(
      payments.map((payment, at) => (at % 2 ? one : other).settle(jobOf(payment), soon())),
    ).finally(() => {
      done = true;
    });
    while (!done) {
      await mine();
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect((await outcomes).map(({ kind }) => kind)).toEqual(Array(6).fill('settled'));
    expect(await slow.usdcBalance(slow.payTo)).toBe(before + 300_000n);
  });
});

describe('the wallet', () => {
  test('with ether for many settlements it is ready', async () => {
    await expect(settlement().ready()).resolves.toBeUndefined();
    const { wei, settlements } = await settlement().funds();
    expect(wei).toBeGreaterThan(parseEther('0.9'));
    expect(settlements).toBeGreaterThan(200);
  });

  test('below five settlements nothing is started', async () => {
    const key = generatePrivateKey();
    const { address } = privateKeyToAccount(key);
    const { wei, settlements } = await settlement().funds();
    const one = wei / BigInt(settlements);
    await chain.fundEther(address, one * 4n);
    await expect(settlement(key).ready()).rejects.toThrow('pays for');
    await chain.fundEther(address, one * 7n);
    await expect(settlement(key).ready()).resolves.toBeUndefined();
  });

  test('without an RPC nothing is started', async () => {
    proxy.fail(() => 'cut');
    await expect(settlement().ready()).rejects.toThrow('no answer');
  });
});

/** Signed for a domain that the asset does not have, on terms that say so. */
async function otherName() {
  const { requirements, ...signed } = await signPayment(chain, { name: 'USDC' });
  return { ...signed, requirements: { ...requirements, extra: { name: 'USDC', version: '2' } } };
}

async function tampered(changes: object) {
  const payment = await signPayment(chain);
  return { ...payment, authorization: { ...payment.authorization, ...changes } };
}

async function smartWalletPayment() {
  const from = '0x00000000000000000000000000000000000000d4';
  const admin = adminOf(chain);
  await admin.setCode({ address: from, bytecode: stub.SmartWallet.runtime_code as Hex });
  await admin.setStorageAt({ address: from, index: 0, value: pad(chain.payer.address) });
  await chain.fundToken(from, 50_000n);
  const payment = await signPayment(chain, { from });
  return { ...payment, signature: `${payment.signature}${'00'.repeat(35)}` as Hex };
}
