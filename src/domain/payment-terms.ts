/**
 * States the terms on which a report is sold, judges whether a payment matches them and can be used at the
 * time, and makes the key of its claim.
 */

import { showMember } from './member-fault.ts';
import type { PaymentPayload } from './payment-payload.ts';
import type { Authorization, Hex, PaymentRequirements } from './x402.ts';

/** The price of a report, and where the money goes. */
export interface PaymentSettings {
  /** The chain as a CAIP-2 id, for example `eip155:8453`. */
  readonly network: string;
  readonly asset: string;
  /** Name in the asset's EIP-712 domain on that chain: `USD Coin` on Base, `USDC` on Base Sepolia. */
  readonly assetName: string;
  readonly assetVersion: string;
  /** Price in atomic units of the asset. */
  readonly amount: string;
  readonly payTo: string;
}

/**
 * Maximum time in seconds that a buyer has from our offer. It is ample with 2 s blocks, and it is also the
 * longest time that a 503 may last.
 */
const MAX_TIMEOUT_SECONDS = 120;

/** Time in seconds from our offer to the buyer's signature, from which `validBefore` counts. */
const SIGNING_SECONDS = 5;

/**
 * Time in seconds that settling may need. If less is left, the authorization could expire during the
 * settlement.
 */
const MIN_VALIDITY_SECONDS = 15;

/**
 * Time in seconds between the end of an authorization and the deletion of the report, so that the outcome is
 * recorded and the report is served before it is deleted.
 */
const RECORDING_SECONDS = 5;

/** Maximum time in seconds that a payer's clock may be ahead of ours. */
const MAX_AHEAD_SECONDS = 10;

/**
 * Maximum validity of an authorization in seconds. Older clients sign for an hour whatever the terms say, and
 * another five minutes allow for their clocks.
 */
const MAX_VALIDITY_SECONDS = 3900;

/**
 * Returns the only entry of `accepts`. The 402, the manifest, the OpenAPI document and `llms.txt` all use it.
 *
 * @param secondsLeft until the report is deleted; `Infinity` if there is no report
 */
export function paymentTerms(
  { network, asset, assetName, assetVersion, amount, payTo }: PaymentSettings,
  secondsLeft: number,
): PaymentRequirements {
  const left = Math.max(1, Math.floor(secondsLeft) - SIGNING_SECONDS - RECORDING_SECONDS);
  return {
    scheme: 'exact',
    network,
    amount,
    asset,
    payTo,
    maxTimeoutSeconds: Math.min(MAX_TIMEOUT_SECONDS, left),
    extra: { name: assetName, version: assetVersion },
  };
}

/**
 * The result of comparing a payment with the terms, without the clock and the chain: the signed authorization
 * if it matches, otherwise the reason why it does not.
 */
export type Judgement =
  | {
      readonly ok: true;
      readonly signature: Hex;
      readonly authorization: Authorization;
      /**
       * True if the client repeated our discovery extension. If so, a facilitator may be given our
       * description.
       */
      readonly echoed: boolean;
    }
  | ({ readonly ok: false } & Refusal);

/**
 * The reason why a payment cannot be accepted: the official facilitator's error code, and a sentence that
 * names the wrong member.
 */
export interface Refusal {
  readonly error: string;
  readonly detail: string;
}

/**
 * Compares a payment with the terms. The errors are the official facilitator's codes, so that a client
 * receives the same codes no matter who checks first.
 */
export function judgePayment(payload: PaymentPayload, terms: PaymentRequirements): Judgement {
  const no = (
    error: string,
    member: string,
    value: unknown,
    expected: unknown,
    words = JSON.stringify(expected),
  ): Judgement => ({ ok: false, error, detail: showMember(member, value, words) });
  const { x402Version, accepted } = payload;
  if (!accepted) return no('invalid_x402_version', 'x402Version', x402Version, 2);

  for (const [error, members] of TERMS)
    for (const member of members)
      if (!isSame(accepted[member], terms[member]))
        return no(error, `accepted.${member}`, accepted[member], terms[member]);

  // A Permit2 payment has a signature as well, so only an authorization shows that a payment is EIP-3009.
  if (!payload.signed)
    return no(
      'unsupported_payload_type',
      'payload.authorization',
      undefined,
      undefined,
      'an EIP-3009 authorization',
    );
  const { signature, authorization } = payload.signed;
  const { to, value } = authorization;
  if (!isSame(to, terms.payTo))
    return no('invalid_exact_evm_recipient_mismatch', 'payload.authorization.to', to, terms.payTo);
  if (value !== terms.amount)
    return no(
      'invalid_exact_evm_payload_authorization_value_mismatch',
      'payload.authorization.value',
      value,
      terms.amount,
    );
  const echoed = payload.extensions != null && 'bazaar' in payload.extensions;
  return { ok: true, signature: signature as Hex, authorization, echoed };
}

/** Members that must equal those of our offer, each with the error code for a member that does not. */
const TERMS = [
  ['unsupported_scheme', ['scheme']],
  ['invalid_network', ['network']],
  ['invalid_payment_requirements', ['amount', 'asset', 'payTo']],
] as const;

/**
 * Returns why an authorization cannot be used at this time, as the official facilitator's code, or
 * `undefined` if it can be used. Under EIP-3009, `validAfter` and `validBefore` are exclusive and are
 * compared with the time of the block. If an authorization begins a few seconds from now because its payer's
 * clock is ahead, we wait for it.
 *
 * @param now milliseconds since 1970
 * @param reportDeadline milliseconds since 1970: no money may move shortly before it or later; `null` for the
 * sample
 */
export function judgeTimes(
  { validAfter, validBefore }: Authorization,
  now: number,
  reportDeadline: number | null,
): Refusal | undefined {
  const seconds = Math.floor(now / 1000);
  const last = Math.min(
    seconds + MAX_VALIDITY_SECONDS,
    reportDeadline === null
      ? Number.POSITIVE_INFINITY
      : Math.floor(reportDeadline / 1000) - RECORDING_SECONDS,
  );
  const no = (member: 'validAfter' | 'validBefore', word: string, expected: string) => ({
    error: `invalid_exact_evm_payload_authorization_${word}`,
    detail: showMember(
      `payload.authorization.${member}`,
      { validAfter, validBefore }[member],
      `${expected}. The time here is ${seconds}`,
    ),
  });
  // Converting up to 78 digits to a number loses precision, but does not affect a bound near `now`.
  const begins = Number(validAfter);
  const latest = seconds + MAX_AHEAD_SECONDS;
  if (begins > latest) return no('validAfter', 'valid_after', `at most ${latest}`);
  const until = Number(validBefore);
  const first = Math.max(seconds, begins) + MIN_VALIDITY_SECONDS;
  if (until < first || until > last)
    return no('validBefore', 'valid_before', `${first} to ${last}`);
  return undefined;
}

/**
 * Compares two values, and addresses regardless of letter case: EIP-55 puts a checksum into the case, so one
 * address can be written in several ways.
 */
const isSame = (one: string | undefined, other: string): boolean =>
  one === other || (isAddress(other) && one?.toLowerCase() === other.toLowerCase());

const isAddress = (text: string) => /^0x[0-9a-fA-F]{40}$/.test(text);

/**
 * Returns the key of an authorization in `payment_claims`. NATS allows no `:` in a key, so it is replaced
 * with `.`. The key is in lower case, because the chain does not distinguish letter case.
 */
export function claimKey(
  { network, asset }: Pick<PaymentRequirements, 'network' | 'asset'>,
  { from, nonce }: Pick<Authorization, 'from' | 'nonce'>,
) {
  return [network.replaceAll(':', '.'), asset, from, nonce].join('.').toLowerCase();
}
