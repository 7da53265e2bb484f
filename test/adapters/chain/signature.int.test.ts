/**
 * Tests how payments are verified that a key, a contract wallet or a wallet yet to be deployed has signed.
 */

import {
  concatHex,
  type Hex,
  parseErc6492Signature,
  parseSignature,
  serializeErc6492Signature,
  size,
  slice,
  toHex,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import type { SignedPayment } from '../../../src/ports/payment.ts';
import { adminOf, jobOf, SOON_MS } from '../../support/payments/payment-chain.ts';
import { useSelfSettlement } from '../../support/payments/self-settlement.ts';

const self = useSelfSettlement();
const { chain, proxy, judge, settlement, sign, smartWalletPayment, futureWalletPayment } = self;

const MAGIC: Hex = `0x${'6492'.repeat(16)}`;
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/**
 * Returns what the node learns from a check, and from everything that is asked before the start of a
 * settlement.
 */
async function heard(payment: SignedPayment) {
  const bodies: string[] = [];
  proxy().fail((_method, body) => {
    bodies.push(body.toLowerCase());
    return 'pass';
  });
  const asked = judge();
  const verdict = await asked.checkSignature(payment);
  const checked = bodies.splice(0);
  await Promise.all([asked.head(), asked.balance(payment), asked.ended(payment)]);
  await asked.ended(payment, 0);
  proxy().fail();
  return { verdict, checked, bodies };
}

test.each<[string, Hex]>([
  ['an account', '0x'],
  ['an account with the code of a wallet', `0xef0100${'12'.repeat(20)}`],
])('the node learns nothing about the signature of %s', async (_, bytecode) => {
  const key = generatePrivateKey();
  const { address: from } = privateKeyToAccount(key);
  await adminOf(chain()).setCode({ address: from, bytecode });
  const payment = await sign({ from, key });
  const { verdict, checked } = await heard(payment);
  expect([verdict, checked]).toEqual([{ ok: true, payment }, []]);
});

test.each([
  ['a deployed contract wallet', () => smartWalletPayment()],
  ['a wallet that is not there yet', () => futureWalletPayment(9n)],
  ['an account with the code of a wallet', () => self.delegatedPayment()],
])('for %s it learns the hash and the signature once, but never the nonce', async (_, signing) => {
  const payment = await signing();
  const { verdict, checked, bodies } = await heard(payment);
  expect(verdict).toEqual({ ok: true, payment });
  expect(checked.map((body) => JSON.parse(body).method)).toEqual(['eth_call']);
  const { nonce, to } = payment.authorization;
  expect(checked.join()).not.toContain(to.slice(2).toLowerCase());
  // With the nonce, a node could send a payment of which it says that it has no money.
  expect([...checked, ...bodies].join()).not.toContain(nonce.slice(2).toLowerCase());
});

test.each([0, 1])(
  '`v` may be %i instead of 27 and 28, and the token accepts it',
  async (yParity) => {
    let payment = await sign();
    while (parseSignature(payment.signature).yParity !== yParity) payment = await sign();
    const bare = concatHex([slice(payment.signature, 0, 64), toHex(yParity, { size: 1 })]);
    const verdict = await judge().checkSignature({ ...payment, signature: bare });
    expect(verdict).toEqual({ ok: true, payment });
    if (!verdict.ok) return;
    expect((await settlement().settle(jobOf(verdict.payment), SOON_MS)).kind).toBe('settled');
  },
);

test('a contract wallet gets its 65 bytes unchanged', async () => {
  const from = '0x00000000000000000000000000000000000000d8';
  // `isValidSignature` is true if byte 164 of the calldata, the last of 65, is 1.
  const bytecode: Hex = '0x60a43560f81c600114600d57005b631626ba7e60e01b60005260206000f3';
  await adminOf(chain()).setCode({ address: from, bytecode });
  await chain().fundToken(from, 50_000n);
  const signed = await sign({ from });
  const payment = { ...signed, signature: concatHex([slice(signed.signature, 0, 64), '0x01']) };
  expect(size(payment.signature)).toBe(65);
  expect(await judge().checkSignature(payment)).toEqual({ ok: true, payment });
  expect((await settlement().settle(jobOf(payment), SOON_MS)).kind).toBe('settled');
});

const elsewhere = '0x00000000000000000000000000000000000000d2';
const tampered = async (changes: object) => {
  const payment = await sign();
  return { ...payment, authorization: { ...payment.authorization, ...changes } };
};
const signedAs = async (signature: (good: Hex) => Hex) => {
  const payment = await sign();
  return { ...payment, signature: signature(payment.signature) };
};
/** An invalid signature recovers to the zero address. */
const forNobody = async () => ({
  ...(await tampered({ from: toHex(0, { size: 20 }) })),
  signature: concatHex([toHex(0, { size: 64 }), '0x1b']),
});
const mirrored = (good: Hex) => {
  const { r, s, yParity } = parseSignature(good);
  const v = toHex(yParity === 0 ? 28 : 27, { size: 1 });
  return concatHex([r, toHex(ORDER - BigInt(s), { size: 32 }), v]);
};

test.each<[string, () => Promise<SignedPayment>]>([
  ['somebody else’s', () => sign({ key: generatePrivateKey() })],
  ['for another start', () => tampered({ validAfter: '1' })],
  ['for another payee', () => tampered({ to: elsewhere })],
  ['for another sum', () => tampered({ value: '50001' })],
  ['of another payer', () => tampered({ from: elsewhere })],
  ['for a time without end', () => tampered({ validAfter: '9'.repeat(77) })],
  ['for a time that no token can hold', () => tampered({ validBefore: '9'.repeat(78) })],
  ['zeros in the name of nobody', () => forNobody()],
  ['for another name of the token', () => sign({ name: 'USDC' })],
  ['mirrored, which the token does not take', () => signedAs(mirrored)],
  ['all zeros', () => signedAs(() => toHex(0, { size: 65 }))],
  ['with a `v` of 29', () => signedAs((good) => concatHex([slice(good, 0, 64), '0x1d']))],
  ['of 100 bytes', () => signedAs((good) => concatHex([good, toHex(0, { size: 35 })]))],
  [
    'garbage that claims to be ERC-6492',
    () => signedAs(() => concatHex(['0xabcdef', toHex(7, { size: 90 }), MAGIC])),
  ],
  [
    'nothing but the mark of ERC-6492',
    () => signedAs(() => concatHex([toHex(0, { size: 33 }), MAGIC])),
  ],
])('%s is not a signature of the payer', async (_, signing) => {
  const reason = 'invalid_exact_evm_signature';
  expect(await judge().checkSignature(await signing())).toEqual({ ok: false, reason });
});

test('the node does not learn the nonce for a factory that nobody knows', async () => {
  const payment = await futureWalletPayment(3n, '0x00000000000000000000000000000000000000fa');
  const { verdict, checked } = await heard(payment);
  expect(verdict).toEqual({ ok: true, payment });
  expect(checked.join()).not.toContain(payment.authorization.nonce.slice(2).toLowerCase());
});

test.each<[string, () => Hex]>([
  ['nothing', () => elsewhere],
  ['the token', () => chain().asset],
  ['a precompile', () => '0x0000000000000000000000000000000000000004'],
  ['the wallet itself', () => chain().payer.address],
])('a deployment by %s creates no wallet that could have signed', async (_, address) => {
  const { authorization, ...payment } = await futureWalletPayment(5n);
  const { data, signature } = parseErc6492Signature(payment.signature);
  const forged = serializeErc6492Signature({ address: address(), data: data ?? '0x', signature });
  const verdict = await judge().checkSignature({ ...payment, authorization, signature: forged });
  expect(verdict).toEqual({ ok: false, reason: 'invalid_exact_evm_signature' });
});

test('a wallet whose owner did not sign does not belong to its factory', async () => {
  const { authorization, ...payment } = await futureWalletPayment(4n);
  const forged = { ...payment, authorization: { ...authorization, nonce: `0x${'1'.repeat(64)}` } };
  expect(await judge().checkSignature(forged)).toMatchObject({ ok: false });
});

// If this were taken as an answer, a good payment would be called wrong.
test.each(['cut', { error: { code: -32603, message: 'internal error' } }] as const)(
  'a node that fails does not make a signature wrong: %j',
  async (fate) => {
    const payment = await smartWalletPayment();
    proxy().fail((method) => (method === 'eth_call' ? fate : 'pass'));
    const failure = await judge()
      .checkSignature(payment)
      .catch((error) => error);
    expect(failure).toMatchObject({ name: 'RpcError' });
    expect(JSON.stringify([failure.message, failure.stack])).not.toContain(proxy().url);
  },
);
