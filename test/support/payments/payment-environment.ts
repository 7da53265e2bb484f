/**
 * Starts everything that a payment needs (a chain, a log, and replicas that can be killed), and reads reports
 * at the replicas.
 */

import { randomBytes, randomInt } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Hex, parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { readConfig } from '../../../src/config/config.ts';
import { foldPayment } from '../../../src/projection/fold.ts';
import { openLog } from '../../../src/service/log.ts';
import { createLogger } from '../../../src/telemetry/logger.ts';
import { type Chain, type ChainAccount, startChain } from '../../environment/chain.ts';
import { writeReadyTest } from './ready-test.ts';
import type { Order } from './service-child.ts';
import { forkService, type OnStep } from './service-fork.ts';
import { transfersOf } from './transfers.ts';

/** A response from the report's address, as far as money is concerned. */
export interface Answer {
  readonly status: number;
  readonly code?: string;
  /** The error in the challenge. */
  readonly error?: string;
  readonly testId?: string;
  readonly headers: Headers;
}

interface Options {
  readonly natsUrl: string;
  /** The endpoint through which a replica reads the chain. Default: the chain itself. */
  readonly rpcUrl?: string;
  readonly settings?: Readonly<Record<string, string>>;
  readonly chain?: Chain;
}

interface ReplicaOptions {
  readonly name: string;
  readonly settings?: Readonly<Record<string, string>>;
  readonly timeouts?: Order['timeouts'];
  readonly onStep?: OnStep;
  /** Default: each replica has a wallet of its own. */
  readonly wallet?: Hex;
}

/**
 * Starts a chain, a log, and replicas that can be killed: everything that a payment needs, without email.
 */
export async function startPaymentEnvironment({ natsUrl, rpcUrl, settings, ...given }: Options) {
  const folder = await mkdtemp(join(tmpdir(), 'payment-environment-'));
  const chain = given.chain ?? (await startChain({ pulseSeconds: 5 }));
  const env: Record<string, string> = {
    MAIL_DOMAIN: 'in.example.net',
    HTTP_PORT: '0',
    METRICS_PORT: '0',
    SMTP_PORT: '0',
    DNS_SERVERS: '127.0.0.1:9',
    DATA_DIR: folder,
    NATS_URL: natsUrl,
    TESTS_MAX_BYTES: `${64 * 1024 * 1024}`,
    REPORTS_MAX_BYTES: `${256 * 1024 * 1024}`,
    PAYMENTS_MAX_BYTES: `${64 * 1024 * 1024}`,
    X402_PAY_TO: chain.payTo,
    // Limits are high, because gas on the local chain costs a thousand times as much as on Base.
    X402_MAX_SPEND_PER_HOUR: '1000',
    X402_RPC_URL: rpcUrl ?? chain.rpcUrl,
    TRUST_PROXY: '127.0.0.1',
    RATE_LIMIT_CREATE: '0',
    LOG_LEVEL: 'info',
    ...settings,
  };
  const walletFile = async (key: Hex) => {
    await chain.fundEther(privateKeyToAccount(key).address, parseEther('1'));
    const path = join(folder, `wallet-${randomBytes(6).toString('hex')}`);
    await writeFile(path, key, { mode: 0o600 });
    return path;
  };
  const config = readConfig({
    ...env,
    X402_WALLET_KEY_FILE: await walletFile(generatePrivateKey()),
  });
  const log = await openLog({ ...config, replicaId: 'environment' }, createLogger('silent'));

  const fund = (address: Hex, reports: number) =>
    chain.fundToken(address, 50_000n * BigInt(reports));

  return {
    fund,
    chain,
    log,
    settings: env,

    /** Starts a replica whose requests do not wait for the end of a settlement, unless its time-outs say so. */
    replica: async ({ name, settings: own, timeouts, onStep, wallet }: ReplicaOptions) => {
      const X402_WALLET_KEY_FILE = await walletFile(wallet ?? generatePrivateKey());
      const settings = { ...env, X402_WALLET_KEY_FILE, ...own };
      return forkService(
        { env: settings, replicaId: name, timeouts: { decision: 0, ...timeouts } },
        onStep,
      );
    },

    /** Returns a test whose report can be bought. */
    readyTest: (options?: Parameters<typeof writeReadyTest>[1]) => writeReadyTest(log, options),

    /** Returns a payer with money for this many reports. */
    async newPayer(reports = 1): Promise<ChainAccount> {
      const privateKey = generatePrivateKey();
      const { address } = privateKeyToAccount(privateKey);
      if (reports > 0) await fund(address, reports);
      return { address, privateKey };
    },

    /** Returns payments of one payer that reached the payee. */
    transfers: async (from?: ChainAccount) => (await transfersOf(chain, from)).length,

    /** Returns the payment according to the log. */
    async payment(id: string) {
      const events = (await log.payments.read(id)).map(({ event }) => event);
      const { value, context } = foldPayment(events);
      return { value, context, types: events.map(({ type }) => type) };
    },

    async stop() {
      await log.close();
      if (!given.chain) await chain.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export type PaymentEnvironment = Awaited<ReturnType<typeof startPaymentEnvironment>>;

/**
 * Reads a report at one replica, each time as another client, because limits per client are not tested here.
 */
export async function readReport(
  { http: url }: { readonly http: string },
  { test_id, read_token }: { readonly test_id: string; readonly read_token: string },
  payment?: string,
): Promise<Answer> {
  const response = await fetch(`${url}/v1/report?test_id=${test_id}`, {
    headers: {
      'x-read-token': read_token,
      ...(payment && { 'payment-signature': payment }),
      'x-forwarded-for': `198.18.${randomInt(256)}.${randomInt(256)}`,
    },
  });
  const { status, headers } = response;
  const body = (await response.json()) as Record<string, string>;
  return {
    status,
    headers,
    ...(body.code && { code: body.code }),
    ...(body.error && { error: body.error }),
    ...(status === 200 && body.test_id && { testId: body.test_id }),
  };
}
