/**
 * Runs the service as a child process that stops at every step of a payment until its parent continues it. It
 * is composed like `main.ts`. The parent is told of each step, and the payment continues when the parent says
 * so, or never.
 */

import { readConfig } from '../../../src/config/config.ts';
import { FIXED } from '../../../src/config/constants.ts';
import type { PaymentOverrides, PaymentParts } from '../../../src/service/payments.ts';
import { startService } from '../../../src/service/service.ts';
import { createLogger } from '../../../src/telemetry/logger.ts';

/** The first message from the parent. */
export interface Order {
  readonly env: Readonly<Record<string, string>>;
  readonly replicaId: string;
  readonly timeouts: NonNullable<PaymentOverrides['timeouts']>;
}

/** Messages to the parent. */
export type Message =
  | { readonly type: 'listening'; readonly http: string }
  | { readonly type: 'step'; readonly step: Step; readonly id: string; readonly turn: number }
  | { readonly type: 'fault'; readonly text: string };

type EventName = Parameters<PaymentParts['payments']['append']>[1]['type'];

/** A place in the order of work. `signed` is announced with the payer's address as its id. */
export type Step = 'signed' | 'claimed' | `before ${EventName}` | `after ${EventName}`;

const turns = new Map<number, () => void>();
let lastTurn = 0;
const notify = (message: Message) => process.send?.(message);

function reach(step: Step, id: string): Promise<void> {
  lastTurn += 1;
  const turn = lastTurn;
  const { promise, resolve } = Promise.withResolvers<void>();
  turns.set(turn, resolve);
  notify({ type: 'step', step, id, turn });
  return promise;
}

function withBells({ settlement, chain, claims, payments }: PaymentParts): PaymentParts {
  const append: PaymentParts['payments']['append'] = async (id, event, ...rest) => {
    await reach(`before ${event.type}`, id);
    const appended = await payments.append(id, event, ...rest);
    await reach(`after ${event.type}`, id);
    return appended;
  };
  return {
    settlement,
    chain: {
      ...chain,
      async checkSignature(payment) {
        const verdict = await chain.checkSignature(payment);
        await reach('signed', payment.authorization.from);
        return verdict;
      },
    },
    claims: {
      owner: (key) => claims.owner(key),
      async claim(key, claim) {
        const owner = await claims.claim(key, claim);
        await reach('claimed', claim.id);
        return owner;
      },
    },
    payments: { ...payments, append },
  };
}

const fixed = {
  rateLimits: { wrongToken: 0, unknownId: 0, default: 0 },
  // Tests are written with times of their own, so no timer should come between two events.
  durations: { ...FIXED.durations, analysisTimeoutSeconds: 3600 },
};

async function start({ env, replicaId, timeouts }: Order): Promise<void> {
  const config = readConfig(env, { ...fixed, replicaId });
  const service = await startService(config, createLogger(config.logLevel), {
    wrapPaymentParts: withBells,
    timeouts,
  });
  process.once('SIGTERM', async () => {
    await service.stop();
    process.exit(0);
  });
  notify({ type: 'listening', http: service.http });
}

// The parent is gone, so nobody responds to the signals any more.
process.once('disconnect', () => process.exit(1));
process.on('message', (message: Order | { readonly turn: number }) => {
  if ('turn' in message) {
    turns.get(message.turn)?.();
    turns.delete(message.turn);
    return;
  }
  start(message).catch((error: unknown) => {
    const text = error instanceof Error ? `${error.message}\n${error.stack}` : String(error);
    notify({ type: 'fault', text });
    process.exit(1);
  });
});
