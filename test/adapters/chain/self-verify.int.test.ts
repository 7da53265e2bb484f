import { parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { nowSeconds } from '../../support/payments/authorization.ts';
import { adminOf, jobOf, SOON_MS } from '../../support/payments/payment-chain.ts';
import { useSelfSettlement } from '../../support/payments/self-settlement.ts';

const { chain, proxy, settlement, sign, transfers, newPayer, smartWalletPayment } =
  useSelfSettlement();

test('takes a good payment and moves nothing', async () => {
  expect(await settlement().verify(await sign(), SOON_MS)).toEqual({ ok: true });
  expect(await transfers()).toBe(0);
});

test('takes a smart wallet with a signature of 100 bytes', async () => {
  const payment = await smartWalletPayment();
  expect(await settlement().verify(payment, SOON_MS)).toMatchObject({ ok: true });
});

const elsewhere = '0x00000000000000000000000000000000000000d2';
test.each([
  ['invalid_exact_evm_signature', () => sign({ key: generatePrivateKey() })],
  ['invalid_exact_evm_signature', () => tampered({ validAfter: '1' })],
  ['invalid_exact_evm_signature', () => tampered({ to: elsewhere })],
  ['invalid_exact_evm_signature', () => tampered({ value: '50001' })],
  ['invalid_exact_evm_signature', () => tampered({ from: elsewhere })],
  ['invalid_exact_evm_signature', () => tampered({ validAfter: '9'.repeat(78) })],
  ['invalid_exact_evm_recipient_mismatch', () => sign({ to: elsewhere })],
  ['invalid_exact_evm_payload_authorization_value_mismatch', () => sign({ value: 1n })],
  [
    'invalid_exact_evm_payload_authorization_valid_before',
    () => sign({ validBefore: nowSeconds() }),
  ],
  [
    'invalid_exact_evm_payload_authorization_valid_after',
    () => sign({ validAfter: nowSeconds() + 60 }),
  ],
  ['invalid_exact_evm_insufficient_balance', async () => sign(await newPayer(49_999n))],
  ['invalid_exact_evm_token_name_mismatch', () => otherName()],
])('refuses with %s', async (reason, payment) => {
  expect(await settlement().verify(await payment(), SOON_MS)).toEqual({ ok: false, reason });
});

test('refuses a payment that was made', async () => {
  const payment = await sign();
  await settlement().settle(jobOf(payment), SOON_MS);
  const reason = 'invalid_exact_evm_nonce_already_used';
  expect(await settlement().verify(payment, SOON_MS)).toEqual({ ok: false, reason });
});

// Each of them, taken as an answer, would call a good payment a wrong one.
test.each(['eth_call', 'eth_getCode'])(
  'does not take a failed %s for a wrong payment',
  async (one) => {
    for (const fate of ['cut', { error: { code: -32603, message: 'internal error' } }] as const) {
      proxy().fail((method) => (method === one ? fate : 'pass'));
      const failure = await settlement()
        .verify(await smartWalletPayment(), SOON_MS)
        .catch((error) => error);
      expect(failure).toMatchObject({ name: 'RpcError' });
      expect(JSON.stringify([failure.message, failure.stack])).not.toContain(proxy().url);
    }
  },
);

test('ends at its deadline', async () => {
  proxy().fail(() => 'hang');
  const verdict = settlement().verify(await sign(), 100);
  await expect(verdict).rejects.toThrow('no answer');
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
    await chain().fundEther(address, one * 4n);
    await expect(settlement(key).ready()).rejects.toThrow('pays for');
    await chain().fundEther(address, one * 7n);
    await expect(settlement(key).ready()).resolves.toBeUndefined();
  });

  test('counts what an OP-stack chain takes for publishing a transaction', async () => {
    const address = '0x420000000000000000000000000000000000000F';
    // Answers every call with 10^15 wei: PUSH7, MSTORE at 0, RETURN 32 bytes.
    const bytecode = '0x66038d7ea4c6800060005260206000f3';
    await adminOf(chain()).setCode({ address, bytecode });
    const { wei, settlements } = await settlement().funds();
    await adminOf(chain()).setCode({ address, bytecode: '0x' });
    expect(settlements).toBeLessThanOrEqual(Number(wei / 1_000_000_000_000_000n));
    expect(settlements).toBeGreaterThan(500);
  });

  test('without an RPC nothing is started', async () => {
    proxy().fail(() => 'cut');
    await expect(settlement().ready()).rejects.toThrow('no answer');
  });
});

/** Signed for a domain that the asset does not have, on terms that say so. */
async function otherName() {
  const { requirements, ...signed } = await sign({ name: 'USDC' });
  return { ...signed, requirements: { ...requirements, extra: { name: 'USDC', version: '2' } } };
}

async function tampered(changes: object) {
  const payment = await sign();
  return { ...payment, authorization: { ...payment.authorization, ...changes } };
}
