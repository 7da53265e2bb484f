/** Tests when our own wallet is ready to settle, and that it keeps the promises of every settlement. */

import { parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { settlementContract } from '../../contracts/settlement.ts';
import { adminOf } from '../../support/payments/payment-chain.ts';
import { useSelfSettlement } from '../../support/payments/self-settlement.ts';

const { chain, proxy, settlement, transfers, newPayer, smartWalletPayment } = useSelfSettlement();

settlementContract({
  chain,
  settlement: () => settlement(),
  silence: () => proxy().fail(() => 'hang'),
  transfers,
  poorPayer: () => newPayer(49_999n),
  walletPayment: smartWalletPayment,
});

describe('the wallet', () => {
  test('is ready with ether for many settlements', async () => {
    await expect(settlement().ready(null)).resolves.toBeUndefined();
    const { wei, settlements } = await settlement().funds();
    expect(wei).toBeGreaterThan(parseEther('0.9'));
    expect(settlements).toBeGreaterThan(200);
  });

  test('starts nothing below five settlements', async () => {
    const key = generatePrivateKey();
    const { address } = privateKeyToAccount(key);
    const { wei, settlements } = await settlement().funds();
    const one = wei / BigInt(settlements);
    await chain().fundEther(address, one * 4n);
    await expect(settlement(key).ready(null)).rejects.toThrow('can pay for');
    await chain().fundEther(address, one * 7n);
    await expect(settlement(key).ready(null)).resolves.toBeUndefined();
  });

  test('includes what an OP-stack chain charges for publishing a transaction', async () => {
    const address = '0x420000000000000000000000000000000000000F';
    // Responds to every call with 10^15 wei: PUSH7, MSTORE at 0, RETURN 32 bytes.
    const bytecode = '0x66038d7ea4c6800060005260206000f3';
    await adminOf(chain()).setCode({ address, bytecode });
    const { wei, settlements } = await settlement().funds();
    await adminOf(chain()).setCode({ address, bytecode: '0x' });
    expect(settlements).toBeLessThanOrEqual(Number(wei / 1_000_000_000_000_000n));
    expect(settlements).toBeGreaterThan(500);
  });

  test('starts nothing without an RPC node', async () => {
    proxy().fail(() => 'cut');
    await expect(settlement().ready(null)).rejects.toThrow('did not respond');
  });
});
