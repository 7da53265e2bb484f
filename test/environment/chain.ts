/**
 * Starts a local chain with a USD token that looks like Base with USDC, with funded accounts, and changes
 * their balances and holds back its blocks.
 */

import {
  type Address,
  createTestClient,
  encodeAbiParameters,
  type Hex,
  http,
  keccak256,
  pad,
  parseAbi,
  parseAbiParameters,
  parseEther,
  publicActions,
  toHex,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { base } from 'viem/chains';
import { startChainProcess } from './chain-process.ts';
import contracts from './token/contracts.json' with { type: 'json' };

/**
 * The address of USDC on Base, because the official paying client has a spending limit for known assets only.
 */
const USDC: Address = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';

/** Address of the implementation behind the proxy at `USDC`, and the slot in which the proxy stores it. */
const USD_TOKEN: Address = '0x2Ce6311ddAE708829bc0784C967b7d77D19FD779';
const IMPLEMENTATION = '0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3';

/** Where viem and the payment library expect Multicall3 on every chain. */
const MULTICALL: Address = '0xcA11bde05977b3631167028862bE2a173976CA11';

/**
 * The chain's definition for viem, without the search for replaced transactions. During such a search, viem
 * misses the next block and waits for another, which never comes on a chain that mines per transaction.
 */
export const LIKE_BASE = { ...base, supportsTransactionReplacementDetection: false };

/** The payer's balance at the start: a million USD in atomic units, or 20 million reports. */
const PAYER_START = 1_000_000_000_000n;

/** The wallet's ether at the start, enough for the gas of even more reports. */
const WALLET_START = parseEther('1000000');

const token = parseAbi(['function balanceOf(address owner) view returns (uint256)']);

/** Where `usd-token.sol` stores the balance of an account: `balanceOf` is in slot 1. */
const balanceSlot = (address: Address) =>
  keccak256(encodeAbiParameters(parseAbiParameters('address, uint256'), [address, 1n]));

/** An account of the local chain, with a key made for this run. */
export interface ChainAccount {
  readonly address: Address;
  readonly privateKey: Hex;
}

/** A running local chain with a USD token. */
export interface Chain {
  readonly rpcUrl: string;
  /** Address of the contract of the USD token. */
  readonly asset: Address;
  /** Holds a million USD and no ether. */
  readonly payer: ChainAccount;
  /** Holds ether for gas. */
  readonly hotWallet: ChainAccount;
  /** Address that receives the payments, and holds nothing at first. */
  readonly payTo: Address;
  readonly pid: number;
  /** Returns the balance in atomic units. */
  usdcBalance(address: Address): Promise<bigint>;
  /** Adds atomic units to the balance. */
  fundToken(address: Address, amount: bigint): Promise<void>;
  /** Sets the balance, in wei. */
  fundEther(address: Address, amount: bigint): Promise<void>;
  /** Holds back every block until the returned function is called. */
  holdBlocks(): Promise<() => Promise<void>>;
  stop(): Promise<void>;
}

interface Options {
  /** Default: 0, which means any free one. */
  readonly port?: number;
  /** Base has 2. Without it, a block is mined immediately for each transaction. */
  readonly blockTimeSeconds?: number;
  /**
   * Mines an additional block every so many seconds, because a service that sells has to see that the chain
   * is alive.
   */
  readonly pulseSeconds?: number;
  /**
   * Number of the first block. Default: 0. A chain that begins later stands for a long one, without the time
   * that mining takes.
   */
  readonly firstBlock?: number;
  readonly logger?: { info(fields: object, message: string): void };
}

/** Starts a real EVM on loopback that looks like Base to a client paying in USDC. */
export async function startChain({
  port = 0,
  blockTimeSeconds,
  pulseSeconds,
  firstBlock,
  logger,
}: Options = {}): Promise<Chain> {
  const chain = await startChainProcess(port, firstBlock);
  try {
    const furnished = await furnish(chain.rpcUrl, blockTimeSeconds);
    logger?.info({ pid: chain.pid, rpc: chain.rpcUrl }, 'local chain started');
    const { start, end, holdBlocks } = pulseOf(chain.rpcUrl, pulseSeconds);
    start();
    const stop = () => {
      end();
      return chain.stop();
    };
    return { ...chain, ...furnished, holdBlocks, stop };
  } catch (error) {
    await chain.stop();
    throw error;
  }
}

/** Mines an empty block now and then, until blocks are held back. */
function pulseOf(rpcUrl: string, seconds: number | undefined) {
  const admin = createTestClient({ mode: 'anvil', chain: LIKE_BASE, transport: http(rpcUrl) });
  let timer: NodeJS.Timeout | undefined;
  const start = () => {
    if (!seconds) return;
    const mine = () => admin.mine({ blocks: 1 }).catch(() => undefined);
    timer = setInterval(mine, seconds * 1000).unref();
  };
  const end = () => clearInterval(timer);
  return {
    start,
    end,
    async holdBlocks() {
      end();
      await admin.setAutomine(false);
      return async () => {
        await admin.setAutomine(true);
        await admin.mine({ blocks: 1 });
        start();
      };
    },
  };
}

/** Installs the contracts and funds the accounts. */
async function furnish(rpcUrl: string, blockTimeSeconds: number | undefined) {
  const client = createTestClient({
    mode: 'anvil',
    chain: LIKE_BASE,
    transport: http(rpcUrl, { retryCount: 0 }),
    pollingInterval: 20,
  }).extend(publicActions);
  const id = await client.getChainId();
  if (id !== LIKE_BASE.id) throw new Error(`${rpcUrl} is chain ${id}, not ${LIKE_BASE.id}`);

  // Written into the storage, so that there is no transaction and no block to wait for.
  const give = async (address: Address, amount: bigint) => {
    const value = pad(toHex((await usdcBalance(address)) + amount));
    await client.setStorageAt({ address: USDC, index: balanceSlot(address), value });
  };
  // One after another, because each adds to what it reads.
  let given = Promise.resolve();
  const fundToken = (address: Address, amount: bigint) => {
    const mine = given.then(() => give(address, amount));
    given = mine.catch(() => {});
    return mine;
  };
  const fundEther = (address: Address, amount: bigint) =>
    client.setBalance({ address, value: amount });
  const usdcBalance = (address: Address) =>
    client.readContract({ address: USDC, abi: token, functionName: 'balanceOf', args: [address] });

  await client.setCode({ address: USDC, bytecode: contracts.UsdProxy.runtime_code as Hex });
  await client.setCode({ address: USD_TOKEN, bytecode: contracts.UsdToken.runtime_code as Hex });
  await client.setStorageAt({ address: USDC, index: IMPLEMENTATION, value: pad(USD_TOKEN) });
  await client.setCode({ address: MULTICALL, bytecode: contracts.Multicall.runtime_code as Hex });
  const [payer, hotWallet] = [newAccount(), newAccount()];
  await fundEther(hotWallet.address, WALLET_START);
  await fundToken(payer.address, PAYER_START);
  // This comes last, so that nothing above waits for a block.
  if (blockTimeSeconds) await client.setIntervalMining({ interval: blockTimeSeconds });

  const accounts = { asset: USDC, payer, hotWallet, payTo: newAccount().address };
  return { ...accounts, usdcBalance, fundToken, fundEther };
}

function newAccount(): ChainAccount {
  const privateKey = generatePrivateKey();
  return { address: privateKeyToAccount(privateKey).address, privateKey };
}
