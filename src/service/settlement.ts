/**
 * Opens the nodes, and the wallet or the facilitator, that settlements need, as the settings require, and
 * watches the wallet's funds.
 */

import { randomBytes } from 'node:crypto';
import { agreeingChain } from '../adapters/chain/agreeing-chain.ts';
import { type ChainNode, paymentChain } from '../adapters/chain/payment-chain.ts';
import { selfSettlement } from '../adapters/chain/self-settlement.ts';
import { keySigner, remoteSigner } from '../adapters/chain/signer.ts';
import { facilitatorSettlement } from '../adapters/facilitator/facilitator-settlement.ts';
import type { PaymentConfig } from '../config/config.ts';
import type { NodeFault } from '../domain/node-needs.ts';
import { paymentRequired } from '../domain/payment-required.ts';
import { paymentTerms } from '../domain/payment-terms.ts';
import type { Hex } from '../domain/x402.ts';
import type { Clock } from '../ports/ambient.ts';
import type { PaymentChain, Settlement } from '../ports/payment.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { seldom } from '../telemetry/seldom.ts';
import { watchNodes } from './nodes.ts';

/**
 * Number of settlements that a wallet should always be able to pay for. If it can pay for fewer, its owner is
 * warned.
 */
export const LOW_FUNDS = 200;

/** How often the wallet's funds are checked, in milliseconds. */
const LOOK_MS = 60_000;

/** How long a facilitator counts as available after it has responded, in milliseconds. */
const SEEN_MS = 10_000;

export interface OpenedSettlement {
  readonly settlement: Settlement;
  readonly chain: PaymentChain;
  /** Returns what the nodes lack to sell now, or `undefined` if they lack nothing. */
  readonly nodeFault: () => Promise<NodeFault | undefined>;
  stop(): void;
}

interface Ports {
  readonly baseUrl: () => string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly blockMs?: number | undefined;
}

/** Opens the port that moves the money, and the chain that judges the result, as the settings require. */
export async function openSettlement(
  payment: PaymentConfig,
  ports: Ports,
): Promise<OpenedSettlement> {
  const { clock, blockMs } = ports;
  const [node, second] = openNodes(payment, clock, blockMs);
  const chain = second ? agreeingChain(node, second) : node;
  const nodeFault = watchNodes({
    nodes: second ? [node, second] : [node],
    ...{ network: payment.network, clock, monotonic: () => performance.now() },
  });
  return payment.facilitatorUrl === null
    ? { chain, nodeFault, ...ownWallet(payment, ports) }
    : { chain, nodeFault, ...(await remote(payment, ports)) };
}

/** Opens the node that the settings name, and the second node if they name one. */
export function openNodes(
  { rpcUrl, secondRpcUrl, network }: PaymentConfig,
  clock: Clock,
  blockMs?: number,
): readonly [ChainNode, ChainNode?] {
  const node = (url: string) => paymentChain({ rpcUrl: url, network, clock, blockMs });
  return secondRpcUrl ? [node(rpcUrl), node(secondRpcUrl)] : [node(rpcUrl)];
}

/** Creates a settlement that signs with the key in its file, or with a remote signer. */
export function walletSettlement(
  { rpcUrl, network, gasLimits: limits, ...payment }: PaymentConfig,
  clock: Clock,
  blockMs?: number,
) {
  const { walletKey, signerUrl, walletAddress } = payment;
  const signer =
    signerUrl === null
      ? keySigner(walletKey as Hex)
      : remoteSigner({ url: signerUrl, address: walletAddress ?? '' });
  return selfSettlement({ rpcUrl, network, signer, limits, clock, blockMs });
}

function ownWallet(payment: PaymentConfig, { clock, logger, metrics, blockMs }: Ports) {
  const settlement = walletSettlement(payment, clock, blockMs);
  const readFunds = async () => {
    const { wei, settlements } = await settlement.funds();
    metrics.walletBalance.set(Number(wei));
    metrics.walletSettlements.set(settlements);
    if (settlements < LOW_FUNDS)
      logger.warn({ settlements }, 'the hot wallet is running low on ether');
  };
  const warnOfGas = seldom((err: Error) =>
    logger.warn({ err }, 'gas is too expensive: nothing is sold'),
  );
  const sparing: Settlement = {
    ...settlement,
    ready: (unproven) =>
      settlement.ready(unproven).catch((error: Error) => {
        if (error.name === 'FeeError') {
          metrics.payments.inc({ outcome: 'gas_too_high' });
          warnOfGas(error);
        }
        throw error;
      }),
  };
  const look = () =>
    readFunds().catch((err: unknown) => logger.warn({ err }, 'the hot wallet cannot be read'));
  const timer = setInterval(look, LOOK_MS);
  timer.unref();
  void look();
  return { settlement: sparing, stop: () => clearInterval(timer) };
}

/** Opens the facilitator. @throws if it can be reached but does not support our kind of payment */
async function remote(payment: PaymentConfig, { baseUrl, clock, logger }: Ports) {
  const { facilitatorUrl, cdpKey } = payment;
  const terms = paymentTerms(payment, Number.POSITIVE_INFINITY);
  const settlement = facilitatorSettlement({
    url: facilitatorUrl ?? '',
    clock,
    random: randomBytes,
    ...(cdpKey && { cdpKey }),
    discovery: {
      get resource() {
        return paymentRequired(baseUrl(), terms).resource;
      },
      get extensions() {
        return paymentRequired(baseUrl(), terms).extensions;
      },
    },
  });
  let seenAt = Number.NEGATIVE_INFINITY;
  const look = async () => {
    const serves = await settlement.supports(terms);
    seenAt = performance.now();
    return serves;
  };
  const serves = await look().catch((error: unknown) => {
    logger.warn({ err: error }, 'the facilitator does not respond');
    return true;
  });
  if (!serves)
    throw new Error(
      `The facilitator does not serve ${terms.scheme} on ${terms.network}: see X402_FACILITATOR_URL and X402_NETWORK.`,
    );
  const seen: Settlement = {
    ...settlement,
    async ready() {
      await settlement.ready();
      if (performance.now() - seenAt > SEEN_MS) await look();
    },
  };
  return { settlement: seen, stop: () => {} };
}
