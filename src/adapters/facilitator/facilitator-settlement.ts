import { HTTPFacilitatorClient } from '@x402/core/server';
import {
  type PaymentPayload,
  type PaymentRequirements,
  SettleError,
  type SettleResponse,
  VerifyError,
} from '@x402/core/types';
import type { Clock, Random } from '../../ports/ambient.ts';
import type {
  Outcome,
  PaymentVerdict,
  Settlement,
  SettlementJob,
  SignedPayment,
} from '../../ports/payment.ts';
import { type CdpKey, cdpTokens } from './jwt.ts';

/** Its own default is 90 s, longer than any buyer waits. */
const SUPPORTED_MS = 10_000;

interface Options {
  readonly url: string;
  readonly clock: Clock;
  readonly random: Random;
  /** Without it, requests carry no authorization. */
  readonly cdpKey?: CdpKey;
  /**
   * What is sent to discovery services when the client echoed it: our resource and our extensions,
   * never the client's bytes.
   */
  readonly discovery?: Pick<PaymentPayload, 'resource' | 'extensions'>;
}

/** A kind of payment, as a facilitator lists what it serves. */
type Kind = { readonly scheme: string; readonly network: string };

/** A 32-byte hash that is not zero. */
const HASH = /^0x(?!0{64}$)[0-9a-fA-F]{64}$/;

/** Reasons are the upstream's own codes; one that is longer is no code. */
const MAX_REASON = 200;

/**
 * Settles through somebody else's facilitator. It is believed only when it says "settled", and that
 * only with a matching network, payer and hash; whatever else it says, the chain decides.
 */
export function facilitatorSettlement({ url, clock, random, cdpKey, discovery }: Options) {
  const tokens = cdpKey && cdpTokens(cdpKey);
  const bearer = (method: 'GET' | 'POST', path: string) => {
    const target = new URL(`${url.replace(/\/+$/, '')}/${path}`);
    const nonce = Buffer.from(random(16)).toString('hex');
    return { Authorization: `Bearer ${tokens?.({ method, url: target, now: clock(), nonce })}` };
  };
  const createAuthHeaders = async () => ({
    verify: bearer('POST', 'verify'),
    settle: bearer('POST', 'settle'),
    supported: bearer('GET', 'supported'),
  });
  // One a request: its deadline is the client's.
  const client = (milliseconds: number) =>
    new HTTPFacilitatorClient({
      url,
      timeoutMs: Math.max(1, Math.floor(milliseconds)),
      ...(tokens ? { createAuthHeaders } : {}),
    });
  const call = ({ requirements, signature, authorization, echoed }: SignedPayment) => {
    const terms = requirements as PaymentRequirements;
    const payload = { signature, authorization };
    const shown = echoed ? discovery : undefined;
    return [{ x402Version: 2, accepted: terms, payload, ...shown }, terms] as const;
  };

  async function settle({ payment }: SettlementJob, withinMs: number): Promise<Outcome> {
    try {
      const answer = await client(withinMs).settle(...call(payment));
      return judge(payment, answer);
    } catch (error) {
      if (!(error instanceof SettleError)) return unknown('facilitator_unavailable');
      return unknown(error.errorReason, error.transaction);
    }
  }

  return {
    mode: 'facilitator',
    async ready() {},
    async verify(payment, withinMs) {
      try {
        const answer = await client(withinMs).verify(...call(payment));
        return answer.isValid ? { ok: true } : refusal(answer.invalidReason);
      } catch (error) {
        return refusedWithStatus(error);
      }
    },
    settle,
    // The same payload again. After a success it answers an error, which the chain overrules.
    resume: settle,

    /**
     * Whether it serves this kind of payment.
     *
     * @throws when it gives no answer
     */
    async supports({ scheme, network }: Kind): Promise<boolean> {
      const { kinds } = await client(SUPPORTED_MS).getSupported().catch(unavailable);
      return kinds.some(
        (kind) => kind.x402Version === 2 && kind.scheme === scheme && kind.network === network,
      );
    },
  } satisfies Settlement & { supports(kind: Kind): Promise<boolean> };
}

function judge({ requirements, authorization }: SignedPayment, answer: SettleResponse): Outcome {
  const { success, network, payer, transaction } = answer;
  if (!success) return unknown(answer.errorReason, transaction);
  const matches =
    network === requirements.network &&
    payer?.toLowerCase() === authorization.from.toLowerCase() &&
    HASH.test(transaction);
  if (!matches) return unknown('facilitator_contradicts_itself', transaction);
  return {
    kind: 'settled',
    receipt: { success, transaction, network, payer: authorization.from },
  };
}

/** The body of an error is not checked by the client: here anything may come as anything. */
function unknown(reason: unknown, transaction?: unknown): Outcome {
  const known = { kind: 'unknown', reason: code(reason, 'settlement_failed') } as const;
  return typeof transaction === 'string' && HASH.test(transaction)
    ? { ...known, transaction: transaction as `0x${string}` }
    : known;
}

const code = (reason: unknown, otherwise: string) =>
  typeof reason === 'string' && reason !== '' ? reason.slice(0, MAX_REASON) : otherwise;

const refusal = (reason: unknown): PaymentVerdict => ({
  ok: false,
  reason: code(reason, 'invalid_payment'),
});

/** Some say "invalid" with a 4xx: a verdict all the same. With a 5xx it is their failure. */
function refusedWithStatus(error: unknown): PaymentVerdict {
  const isVerdict =
    error instanceof VerifyError && error.statusCode < 500 && Boolean(error.invalidReason);
  return isVerdict ? refusal((error as VerifyError).invalidReason) : unavailable(error);
}

/** Their texts quote their answers: the kind of failure is enough. */
function unavailable(error: unknown): never {
  const kind = error instanceof Error ? error.name : 'unknown';
  throw new Error(`The facilitator gave no answer (${kind}).`);
}
