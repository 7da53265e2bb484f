/**
 * Lists attacks that cost us gas or space in the log but cost their attackers nothing, and creates payers
 * with money.
 */

import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  createWalletClient,
  encodeFunctionData,
  type Hex,
  http,
  pad,
  parseAbi,
  parseEther,
  parseGwei,
  toHex,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { base } from 'viem/chains';
import type { ChainAccount } from '../../environment/chain.ts';
import contracts from '../../fixtures/token/contracts.json' with { type: 'json' };
import { authorize } from '../../support/payments/authorization.ts';
import { adminOf } from '../../support/payments/payment-chain.ts';
import { readReport } from '../../support/payments/payment-environment.ts';
import { toHeader } from '../../support/payments/payment-fixtures.ts';
import { type ReadyTest, writeReadyTest } from '../../support/payments/ready-test.ts';
import type { World } from '../world/parts.ts';

const SAMPLE: ReadyTest = { test_id: 'samplereport', read_token: '' };
const transferAbi = parseAbi(['function transfer(address to, uint256 value) returns (bool)']);

/** Requests that one drained account sends at once. */
const AT_ONCE = 60;

/** The attackers' knowledge of those who pay. */
export interface Honest {
  /** Returns a payer who has not paid yet. */
  readonly victim: () => ChainAccount;
  /** Returns the payment of a payer who has paid, as anyone can copy it from the chain. */
  readonly made: () => Promise<{ readonly header: string }>;
}

/** Makes one hostile request, for which everything is ready. Returns the status of its response. */
export type Attack = () => Promise<number>;

/** Returns a payer with money for this many reports. */
export async function newPayer({ chain }: World['environment'], reports: number) {
  const privateKey = generatePrivateKey();
  const { address } = privateKeyToAccount(privateKey);
  if (reports > 0) await chain.fundToken(address, 50_000n * BigInt(reports));
  return { address, privateKey };
}

/** Returns the ways in which a payer can make us send transactions, or fill our log, for free. */
export function attackers(
  { environment, log }: Pick<World, 'environment' | 'log'>,
  target: { readonly http: string },
  { victim, made }: Honest,
) {
  const { chain } = environment;
  const admin = adminOf(chain);
  const payers = new Set<string>();

  const send = async (test: ReadyTest, header: string): Promise<number> =>
    (await readReport(target, test, header)).status;

  async function pay(
    payer: ChainAccount,
    test: ReadyTest,
    change: (signature: Hex) => Hex = (signature) => signature,
  ): Promise<number> {
    payers.add(payer.address.toLowerCase());
    const { address: from, privateKey: key } = payer;
    const signed = await authorize(chain, { from, key });
    return send(test, toHeader(chain, { ...signed, signature: change(signed.signature) }));
  }

  /** Returns a contract wallet with money that changes its mind: see `fickle-wallet.sol`. */
  async function fickleWallet(how: number): Promise<ChainAccount> {
    const { address } = privateKeyToAccount(generatePrivateKey());
    const bytecode = contracts.FickleWallet.runtime_code as Hex;
    await admin.setCode({ address, bytecode });
    await admin.setStorageAt({ address, index: 0, value: pad(toHex(how)) });
    await chain.fundToken(address, 50_000n);
    return { address, privateKey: generatePrivateKey() };
  }

  const fickle =
    (how: number, bytes = 100) =>
    async (): Promise<Attack> => {
      const wallet = await fickleWallet(how);
      return () => pay(wallet, SAMPLE, () => toHex(randomBytes(bytes)));
    };

  /** Creates an attacker that moves its money elsewhere, for a higher fee, while its payment is settled. */
  async function race(): Promise<Attack> {
    const [payer, test] = await Promise.all([newPayer(environment, 1), writeReadyTest(log)]);
    await chain.fundEther(payer.address, parseEther('1'));
    const account = privateKeyToAccount(payer.privateKey);
    const wallet = createWalletClient({ account, chain: base, transport: http(chain.rpcUrl) });
    const args = ['0x00000000000000000000000000000000000000d1', 50_000n] as const;
    const data = encodeFunctionData({ abi: transferAbi, functionName: 'transfer', args });
    const fee = parseGwei('50');
    const dear = { gas: 100_000n, maxFeePerGas: fee, maxPriorityFeePerGas: fee };
    return async () => {
      const answer = pay(payer, test);
      await delay(200);
      await wallet.sendTransaction({ to: chain.asset, data, ...dear }).catch(() => undefined);
      return answer;
    };
  }

  let single: { readonly payer: ChainAccount; left: number } | undefined;
  const attacks: Readonly<Record<string, () => Promise<Attack>>> = {
    'contract wallet, by the price of gas': fickle(0),
    'contract wallet, by the time': fickle(1),
    'contract wallet, by chance': fickle(2),
    'account with one price that pays sixty times': async () => {
      if (!single?.left) single = { payer: await newPayer(environment, 1), left: AT_ONCE };
      single.left -= 1;
      const { payer } = single;
      return () => pay(payer, SAMPLE);
    },
    'account that moves its money meanwhile': race,
    'payment in the name of an honest buyer': async () => {
      const { address: from } = victim();
      const forged = await authorize(chain, { from, key: generatePrivateKey() });
      return () => send(SAMPLE, toHeader(chain, forged));
    },
    'payment that an honest buyer has made': async () => {
      const { header } = await made();
      return () => send(SAMPLE, header);
    },
    'signature that the token does not take': async () => {
      const payer = await newPayer(environment, 1);
      return () => pay(payer, SAMPLE, (signature) => `${signature.slice(0, -2)}1d` as Hex);
    },
    'account without money': async () => {
      const payer = await newPayer(environment, 0);
      return () => pay(payer, SAMPLE);
    },
    'signature of 4 kB': fickle(1, 3_900),
    'signature of 2 kB': fickle(1, 2_048),
  };
  return { attacks, payers };
}
