/**
 * Starts everything around the service for the demo and the tests (DNS, chain and nats-server), and returns
 * the settings with which the service uses it.
 */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startEmbeddedNats } from '../../src/adapters/embedded-nats/start.ts';
import { startChain } from './chain.ts';
import { CHAIN_ID } from './chain-process.ts';
import { type DnsServer, startDnsServer } from './dns-server.ts';
import type { Zone } from './dns-zone.ts';
import { newSenderKey, SENDER, senderZone } from './sender.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** Stops what was started, newest first. */
function cleanUp() {
  const steps: (() => Promise<unknown>)[] = [];
  return {
    add: (step: () => Promise<unknown>) => void steps.push(step),
    /** Makes sure that what is started is stopped in the end, even if something else does not start. */
    async after<T extends { stop(): Promise<unknown> }>(starting: Promise<T>): Promise<T> {
      const started = await starting;
      steps.push(() => started.stop());
      return started;
    },
    async run() {
      for (const step of steps.splice(0).reverse()) await step().catch(() => undefined);
    },
  };
}

/** Like `Promise.all`, but rejects only when every promise is settled. */
async function allOf<T extends readonly unknown[]>(starting: T) {
  await Promise.allSettled(starting);
  return Promise.all(starting);
}

/**
 * Starts everything around the service, for real and on loopback: a DNS server with the sender's zone, an EVM
 * chain, and a nats-server. Whatever the environment already names is used instead of ours.
 *
 * @param more what the DNS server knows besides the sender's zone
 */
export async function startEnvironment(env: Variables, more: Zone = {}) {
  const end = cleanUp();
  try {
    const folder = await mkdtemp(join(tmpdir(), 'deliverability-demo-'));
    end.add(() => rm(folder, { recursive: true, force: true }));
    const key = newSenderKey();
    const dataDir = env.DATA_DIR ? resolve(env.DATA_DIR) : join(folder, 'data');
    const [dns, chain, nats] = await allOf([
      env.DNS_SERVERS
        ? undefined
        : end.after(startDnsServer({ zone: { ...senderZone(key), ...more } })),
      end.after(startChain({ pulseSeconds: 5 })),
      env.NATS_URL
        ? undefined
        : end.after(startEmbeddedNats({ dataDir, storeKey: env.NATS_STORE_KEY })),
    ]);

    const walletFile = join(folder, 'wallet-key');
    await writeFile(walletFile, chain.hotWallet.privateKey, { mode: 0o600 });
    const selling = {
      X402_PAY_TO: chain.payTo,
      X402_RPC_URL: chain.rpcUrl,
      X402_NETWORK: `eip155:${CHAIN_ID}`,
      X402_WALLET_KEY_FILE: walletFile,
      // The limit is high, because gas on the local chain costs a thousand times as much as on Base.
      X402_MAX_SPEND_PER_HOUR: '1000',
    };
    const own = {
      MAIL_DOMAIN: 'in.example.net',
      HTTP_PORT: '0',
      METRICS_PORT: '0',
      SMTP_PORT: '0',
      SMTP_XCLIENT_FROM: '127.0.0.0/8',
      ...(env.PAYMENTS !== 'off' && selling),
      RATE_LIMIT_CREATE: '0',
      ...(dns && { DNS_SERVERS: dns.address }),
      ...(nats && { NATS_URL: nats.url.replace('//', `//${nats.token}@`) }),
    };
    return {
      key,
      chain,
      dns: dns as DnsServer | undefined,
      /** Process id of the nats-server; undefined if the caller named one. */
      natsPid: nats?.pid,
      /** Settings of the environment that were used instead of the demo's. */
      taken: [...new Set(['DATA_DIR', 'NATS_URL', 'DNS_SERVERS', ...Object.keys(own)])].filter(
        (name) => env[name],
      ),
      /** The client that the email is said to come from: the sender's own host. */
      client: { ip: SENDER.ip, host: SENDER.host },
      /** The service's environment. The caller's settings take precedence over the demo's. */
      env: { ...own, ...withoutEmpty(env), DATA_DIR: dataDir } as Record<string, string>,
      stop: () => end.run(),
    };
  } catch (error) {
    await end.run();
    throw error;
  }
}

export type Environment = Awaited<ReturnType<typeof startEnvironment>>;

const withoutEmpty = (env: Variables) =>
  Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
