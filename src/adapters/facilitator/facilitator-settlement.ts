import { parseJson, readCapped } from '../../domain/answer-text.ts';
import { outageKind } from '../../domain/describe-error.ts';
import type { Clock, Random } from '../../ports/ambient.ts';
import type {
  Settlement,
  SettlementJob,
  SettlementOutcome,
  SignedPayment,
} from '../../ports/payment.ts';
import { type CdpKey, cdpTokens } from './jwt.ts';

/** A facilitator's answers have a few hundred bytes. */
const MAX_ANSWER_BYTES = 64 * 1024;

interface JsonAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * The JSON object that a request is answered with, at most 64 KiB of it: its server may be
 * broken or hostile.
 *
 * @throws when no answer comes in time; the text holds nothing of the answer
 */
async function fetchJson(
  url: string,
  options: Pick<RequestInit, 'method' | 'headers' | 'body'>,
  milliseconds: number,
): Promise<JsonAnswer> {
  const signal = AbortSignal.timeout(Math.max(1, Math.floor(milliseconds)));
  const response = await fetch(url, { ...options, signal, redirect: 'error' });
  const body = parseJson(await readCapped(response, MAX_ANSWER_BYTES));
  if (typeof body !== 'object' || body === null) throw new TypeError('not an object');
  return { status: response.status, body: body as JsonAnswer['body'] };
}

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
  readonly discovery?: { readonly resource: object; readonly extensions: object };
}

/** A kind of payment, as a facilitator lists what it serves. */
type Kind = { readonly scheme: string; readonly network: string };

/** A 32-byte hash that is not zero. */
const HASH = /^0x(?!0{64}$)[0-9a-fA-F]{64}$/;

/**
 * Settles through somebody else's facilitator. Its "settled" counts only with a matching
 * network, payer and hash, and the settler asks the chain for that receipt; whatever else it says, the
 * chain decides.
 */
export function facilitatorSettlement({ url, clock, random, cdpKey, discovery }: Options) {
  const tokens = cdpKey && cdpTokens(cdpKey);
  const endpoint = (path: string) => `${url.replace(/\/+$/, '')}/${path}`;
  const authorization = (method: 'GET' | 'POST', target: string) => {
    const nonce = Buffer.from(random(16)).toString('hex');
    const token = tokens?.({ method, url: new URL(target), now: clock(), nonce });
    return token === undefined ? {} : { authorization: `Bearer ${token}` };
  };

  /** Its own `/verify` is not asked: who has seen a payment may settle it, whatever it answers. */
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
    return answer ? judge(payment, answer) : unknown('facilitator_unavailable');
  }

  return {
    mode: 'facilitator',
    async ready() {},
    // Also after a crash. After a success it answers an error, which the chain overrules.
    settle,

    /**
     * Whether it serves this kind of payment.
     *
     * @throws when it gives no answer
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
  if (status !== 200 || success !== true) return unknown(body.errorReason);
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

const unknown = (reason: unknown): SettlementOutcome => ({
  kind: 'unknown',
  reason: typeof reason === 'string' && reason !== '' ? reason : 'settlement_failed',
});

/** The kind of failure is enough: texts may quote answers. */
function unavailable(error: unknown): never {
  const code = outageKind(error);
  throw Object.assign(new Error(`The facilitator gave no answer (${code}).`), { code });
}
