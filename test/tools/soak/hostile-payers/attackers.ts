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
import type { ChainAccount } from '../../../environment/chain.ts';
import contracts from '../../../fixtures/token/contracts.json' with { type: 'json' };
import { authorize } from '../../../support/payments/authorization.ts';
import { adminOf } from '../../../support/payments/payment-chain.ts';
import { toHeader } from '../../../support/payments/payment-fixtures.ts';
import { type PaymentEnvironment, readReport } from '../payment-environment.ts';
import type { ReadyTest } from '../ready-test.ts';
import type { Fork } from '../service-fork.ts';

const SAMPLE: ReadyTest = { test_id: 'samplereport', read_token: '' };
const transferAbi = parseAbi(['function transfer(address to, uint256 value) returns (bool)']);

/** Requests that one drained account sends at once. */
const AT_ONCE = 60;

/** One hostile request, with everything ready for it; its answer's status. */
export type Attack = () => Promise<number>;

/** The ways in which a payer can have us send transactions, or fill our log, for nothing. */
export function attackers(environment: PaymentEnvironment, fork: Fork) {
  const { chain } = environment;
  const admin = adminOf(chain);
  const payers = new Set<string>();

  async function pay(payer: ChainAccount, test: ReadyTest, signature?: Hex): Promise<number> {
    payers.add(payer.address.toLowerCase());
    const { address: from, privateKey: key } = payer;
    const signed = await authorize(chain, { from, key });
    const header = toHeader(chain, signature ? { ...signed, signature } : signed);
    return (await readReport(fork, test, header)).status;
  }

  /** A contract wallet with money, that changes its mind: see `fickle-wallet.sol`. */
  async function fickleWallet(how: number, isUnique: boolean): Promise<ChainAccount> {
    const { address } = privateKeyToAccount(generatePrivateKey());
    const code = contracts.FickleWallet.runtime_code;
    const bytecode = `${code}${isUnique ? randomBytes(8).toString('hex') : ''}` as Hex;
    await admin.setCode({ address, bytecode });
    await admin.setStorageAt({ address, index: 0, value: pad(toHex(how)) });
    await environment.fund(address, 1);
    return { address, privateKey: generatePrivateKey() };
  }

  const fickle =
    (how: number, { isUnique = true, forSample = false, bytes = 100 } = {}) =>
    async (): Promise<Attack> => {
      const wallet = await fickleWallet(how, isUnique);
      const test = forSample ? SAMPLE : await environment.readyTest();
      return () => pay(wallet, test, toHex(randomBytes(bytes)));
    };

  /** It moves its money elsewhere, for a higher fee, while it is settled. */
  async function race(): Promise<Attack> {
    const [payer, test] = await Promise.all([environment.newPayer(1), environment.readyTest()]);
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
    'contract wallet, by the price of gas, for the sample': fickle(0, {
      isUnique: false,
      forSample: true,
    }),
    'contract wallet, by the price of gas': fickle(0),
    'contract wallet, by the time': fickle(1),
    'contract wallet, by the time, for the sample': fickle(1, { forSample: true }),
    'contract wallets of one code, by chance': fickle(2, { isUnique: false, forSample: true }),
    'account with one price that pays sixty times': async () => {
      if (!single?.left) single = { payer: await environment.newPayer(1), left: AT_ONCE };
      single.left -= 1;
      const { payer } = single;
      return () => pay(payer, SAMPLE);
    },
    'account that moves its money meanwhile': race,
    'account without money': async () => {
      const payer = await environment.newPayer(0);
      return () => pay(payer, SAMPLE);
    },
    'signature of 4 kB': fickle(1, { bytes: 3_900 }),
    'signature of 2 kB, for the sample': fickle(1, { forSample: true, bytes: 2_048 }),
  };
  return { attacks, payers };
}
