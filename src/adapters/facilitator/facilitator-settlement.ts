/** Settles payments through an x402 facilitator, and asks it whether it supports a kind of payment. */

import { outageKind } from '../../domain/describe-error.ts';
import { parseJson, readCapped } from '../../domain/response-body.ts';
import type { Clock, Random } from '../../ports/ambient.ts';
import type {
  Settlement,
  SettlementJob,
  SettlementOutcome,
  SignedPayment,
} from '../../ports/payment.ts';
import { type CdpKey, cdpTokens } from './jwt.ts';

/** Maximum size of a facilitator's response, in bytes. A response usually has a few hundred bytes. */
const MAX_ANSWER_BYTES = 64 * 1024;

/**
 * HTTP statuses with which a facilitator refuses to settle for us at all: a wrong key, an unpaid bill or a
 * used-up quota, or too many requests. A 403 may be about the payer.
 */
const REFUSALS = [401, 402, 429];

/** How long nothing new is sold after such a refusal, in milliseconds. */
const REFUSED_MS = 60_000;

/** The error for a response of status 200 without a JSON object. */
class NoJsonError extends Error {
  override readonly name = 'no JSON object in the response';
}

interface JsonAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * Sends a request and returns the JSON object of the response, or an empty one for an error page. At most
 * 64 KiB are read, because the server may be broken or hostile.
 *
 * @throws if no such response comes in time; the error's text contains nothing from the response
 */
async function fetchJson(
  url: string,
  options: Pick<RequestInit, 'method' | 'headers' | 'body'>,
  milliseconds: number,
): Promise<JsonAnswer> {
  const signal = AbortSignal.timeout(Math.max(1, Math.floor(milliseconds)));
  const response = await fetch(url, { ...options, signal, redirect: 'manual' });
  const body = parseJson(await readCapped(response, MAX_ANSWER_BYTES));
  const isObject = typeof body === 'object' && body !== null;
  if (!isObject && response.ok) throw new NoJsonError();
  return { status: response.status, body: isObject ? (body as JsonAnswer['body']) : {} };
}

const SUPPORTED_MS = 10_000;

interface Options {
  readonly url: string;
  readonly clock: Clock;
  readonly random: Random;
  /** The key that signs bearer tokens. Without it, requests carry no authorization. */
  readonly cdpKey?: CdpKey;
  /**
   * Sent to discovery services if the client echoed it: our resource and our extensions, never the client's
   * bytes.
   */
  readonly discovery?: { readonly resource: object; readonly extensions: object };
}

/** A kind of payment in a facilitator's list of the kinds that it supports. */
type Kind = { readonly scheme: string; readonly network: string };

/** A 32-byte hash that is not zero. */
const HASH = /^0x(?!0{64}$)[0-9a-fA-F]{64}$/;

/**
 * Settles through someone else's facilitator. A response of "settled" counts only with a matching network,
 * payer and hash, and the settler then looks for that receipt on the chain. Whatever else the facilitator
 * says, the chain decides.
 */
export function facilitatorSettlement({ url, clock, random, cdpKey, discovery }: Options) {
  const tokens = cdpKey && cdpTokens(cdpKey);
  let refused = { status: 0, at: Number.NEGATIVE_INFINITY };
  const endpoint = (path: string) => `${url.replace(/\/+$/, '')}/${path}`;
  const authorization = (method: 'GET' | 'POST', target: string) => {
    const nonce = Buffer.from(random(16)).toString('hex');
    const token = tokens?.({ method, url: new URL(target), now: clock(), nonce });
    return token === undefined ? {} : { authorization: `Bearer ${token}` };
  };

  /**
   * Settles a payment. The facilitator's `/verify` is not called: anyone who has seen a payment may settle
   * it, even after responding that it is invalid.
   */
  async function settle({ payment }: SettlementJob, withinMs: number): Promise<SettlementOutcome> {
    const { requirements, signature, authorization: signed, echoed } = payment;
    const payload = { signature, authorization: signed };
    const shown = echoed ? discovery : undefined;
    const body = JSON.stringify({
      x402Version: 2,
      paymentPayload: { x402Version: 2, accepted: requirements, payload, ...shown },
      paymentRequirements: requirements,
    });
    const target = endpoint('settle');
    const headers = { 'content-type': 'application/json', ...authorization('POST', target) };
    const asked = fetchJson(target, { method: 'POST', headers, body }, withinMs);
    const answer = await asked.catch(() => undefined);
    if (!answer) return unknown('facilitator_unavailable');
    const { status } = answer;
    refused = {
      status,
      at: REFUSALS.includes(status) ? performance.now() : Number.NEGATIVE_INFINITY,
    };
    return judge(payment, answer);
  }

  return {
    mode: 'facilitator',
    // Payments that were refused are sent again and again, so this lasts until one of them is accepted or the
    // last one has ended.
    async ready() {
      if (performance.now() - refused.at < REFUSED_MS)
        throw new Error(`The facilitator refuses to settle (HTTP ${refused.status}).`);
    },
    // Also called after a crash. If the payment had already succeeded, the facilitator reports an error,
    // which the chain overrules.
    settle,

    /**
     * Returns whether the facilitator supports this kind of payment.
     *
     * @throws if the facilitator does not respond
     */
    async supports({ scheme, network }: Kind): Promise<boolean> {
      const target = endpoint('supported');
      const headers = authorization('GET', target);
      const { status, body } = await fetchJson(target, { headers }, SUPPORTED_MS).catch(
        unavailable,
      );
      if (status !== 200 || !Array.isArray(body.kinds)) return unavailable({ status });
      return body.kinds.some(
        (kind) => kind?.x402Version === 2 && kind.scheme === scheme && kind.network === network,
      );
    },
  } satisfies Settlement & { supports(kind: Kind): Promise<boolean> };
}

function judge(
  { requirements, authorization }: SignedPayment,
  { status, body }: JsonAnswer,
): SettlementOutcome {
  const { success, network, payer, transaction } = body;
  if (status !== 200 || success !== true) return unknown(reasonOf(status, body.errorReason));
  const matches =
    network === requirements.network &&
    typeof payer === 'string' &&
    payer.toLowerCase() === authorization.from.toLowerCase() &&
    typeof transaction === 'string' &&
    HASH.test(transaction);
  if (!matches) return unknown('facilitator_contradicts_itself');
  return {
    kind: 'settled',
    receipt: { success, transaction, network, payer: authorization.from },
  };
}

function reasonOf(status: number, reason: unknown): string {
  if (REFUSALS.includes(status)) return 'facilitator_refused';
  if (typeof reason === 'string' && reason !== '') return reason;
  return status >= 500 ? 'facilitator_unavailable' : 'settlement_failed';
}

const unknown = (reason: string): SettlementOutcome => ({ kind: 'unknown', reason });

/** The error names only the kind of failure, because texts may quote responses. */
function unavailable(error: unknown): never {
  const code = outageKind(error);
  throw Object.assign(new Error(`The facilitator did not respond (${code}).`), { code });
}
