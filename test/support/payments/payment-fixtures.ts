/**
 * Starts everything real through which money goes, with buyers, purchases and ways to break a payment at any
 * step, and repeats requests as clients should.
 */

import { parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { claimKey } from '../../../src/domain/payment-terms.ts';
import { encodeHeader } from '../../../src/domain/x402-headers.ts';
import { type Chain, type ChainAccount, startChain } from '../../environment/chain.ts';
import { WAIT_MS } from '../../run/limits.mjs';
import { startNats } from '../log/nats-server.ts';
import { authorize, splitSignature, transferArguments } from './authorization.ts';
import { startFacilitator } from './facilitator.ts';
import { adminOf, byWallet, callToken, drain, newWallet, termsOf } from './payment-chain.ts';
import { type Answer, readReport, startPaymentEnvironment } from './payment-environment.ts';
import type { ReadyTest } from './ready-test.ts';
import { startRpcProxy } from './rpc-proxy.ts';
import type { Step } from './service-child.ts';
import type { Fork } from './service-fork.ts';

export type Mode = 'self' | 'facilitator';
type SignOptions = NonNullable<Parameters<typeof authorize>[1]>;
type Signed = Awaited<ReturnType<typeof authorize>>;

/** Returns the content of PAYMENT-SIGNATURE, with parts of it replaced. */
export const toHeader = (chain: Chain, signed: Signed, change: object = {}) =>
  encodeHeader({ x402Version: 2, accepted: termsOf(chain), payload: signed, ...change });

/** Starts everything real through which money goes, on loopback, with ways to break it at a step. */
export async function startPaymentFixtures(mode: Mode) {
  const [chain, nats] = await Promise.all([startChain({ pulseSeconds: 5 }), startNats()]);
  const [proxy, facilitator] = await Promise.all([
    startRpcProxy(chain.rpcUrl),
    startFacilitator(chain),
  ]);
  const environment = await startPaymentEnvironment({
    chain,
    natsUrl: nats.url,
    rpcUrl: proxy.url,
    settings: mode === 'self' ? {} : { X402_FACILITATOR_URL: facilitator.url },
  });
  const steps = new Map<string, () => Promise<unknown>>();
  const forks: Fork[] = [];

  async function sign(payer: ChainAccount, options: SignOptions = {}) {
    const signed = await authorize(chain, {
      from: payer.address,
      key: payer.privateKey,
      ...options,
    });
    return { header: toHeader(chain, signed), signed, payer, nonce: signed.authorization.nonce };
  }

  return {
    ...environment,
    mode,
    nats,
    proxy,
    facilitator,
    sign,

    /** Starts a replica that does as `at` says. */
    async replica(options: Parameters<typeof environment.replica>[0]) {
      const fork = await environment.replica({
        onStep(step, id) {
          const then = steps.get(`${step} ${id}`);
          steps.delete(`${step} ${id}`);
          return then?.();
        },
        ...options,
      });
      forks.push(fork);
      return fork;
    },

    /** Sets what happens, once, when this payment reaches that step. The payment waits for it. */
    at(step: Step, id: string, then: () => Promise<unknown>) {
      steps.set(`${step} ${id}`, then);
    },

    /** Returns a new test, a payer with money for it, and the signed payment. */
    async purchase(options: SignOptions & { reports?: number } = {}) {
      const { reports, ...signing } = options;
      const [test, payer] = await Promise.all([
        environment.readyTest(),
        environment.newPayer(reports),
      ]);
      return { test, ...(await sign(payer, signing)) };
    },

    /** Writes the start of a settlement by a replica that no longer exists, straight into the log. */
    async begin(test: ReadyTest, { signed, payer }: Awaited<ReturnType<typeof sign>>) {
      const requirements = termsOf(chain);
      const { authorization, signature } = signed;
      const key = claimKey(requirements, authorization);
      const at = new Date(Date.now() - 60_000).toISOString();
      const claim = { id: test.test_id, at, by: 'gone', from_block: 0 };
      await environment.log.claims.claim(key, claim);
      const data = {
        attempt: 1,
        mode,
        claim: key,
        requirements,
        payload: { signature, authorization },
        from_block: 0,
        report_expires_at: new Date(Date.now() + 60_000).toISOString(),
      } as const;
      const id = `${payer.address}-start`;
      const event = { v: 1, id, type: 'SettlementStarted', at, by: 'gone', data } as const;
      const appended = await environment.log.payments.append(test.test_id, event, 0);
      if (appended.outcome !== 'appended') throw new Error('The settlement is not begun.');
    },

    /** Returns a deployed wallet that itself verifies what it signed, and its signature for a report. */
    async smartWallet() {
      const key = generatePrivateKey();
      const address = await newWallet(chain, privateKeyToAccount(key).address);
      const payer = { address, privateKey: key };
      const { signed, nonce } = await sign(payer);
      return { payer, nonce, header: toHeader(chain, byWallet(signed)) };
    },

    /** Gives ether to a payer that calls the chain itself. */
    giveEther: ({ address }: ChainAccount) => chain.fundEther(address, parseEther('1')),

    drain: ({ privateKey }: ChainAccount) => drain(chain, privateKey),

    /** Has the payer send its authorization to the chain itself. */
    async broadcast({ address, privateKey }: ChainAccount, signed: Signed) {
      await chain.fundEther(address, parseEther('1'));
      const args = [...transferArguments(signed), ...splitSignature(signed.signature)];
      return callToken(chain, privateKey, 'transferWithAuthorization', args);
    },

    /** Moves the chain's clock ahead of ours. */
    async jump(seconds: number) {
      await adminOf(chain).increaseTime({ seconds });
      await adminOf(chain).mine({ blocks: 1 });
    },

    async stop() {
      await Promise.all(forks.map((fork) => fork.kill()));
      await environment.stop();
      await facilitator.stop();
      await proxy.stop();
      await Promise.all([chain.stop(), nats.end()]);
    },
  };
}

export type PaymentFixtures = Awaited<ReturnType<typeof startPaymentFixtures>>;

/** Sends the same payment again, as a client should, if the node and log of a busy machine respond late. */
export async function readOnceHeard(...asked: Parameters<typeof readReport>): Promise<Answer> {
  for (;;) {
    const answer = await readReport(...asked);
    if (answer.status !== 502 && answer.code !== 'log_unavailable') return answer;
  }
}

/** Repeats the request while the response is 503, as a client should. */
export async function readUntilDecided(
  replica: { readonly http: string },
  test: ReadyTest,
  payment?: string,
  milliseconds = WAIT_MS,
): Promise<Answer> {
  const deadline = Date.now() + milliseconds;
  for (;;) {
    const answer = await readReport(replica, test, payment);
    if (answer.status !== 503 || Date.now() > deadline) return answer;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
