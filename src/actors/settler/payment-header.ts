import { isPaymentPayload, type PaymentPayload } from '../../domain/payment-payload.ts';
import type { Authorization } from '../../domain/x402.ts';
import { decodeHeader } from '../../domain/x402-headers.ts';

/** The payment in a header; `undefined` when it is not one. */
export function readPayment(header: string): PaymentPayload | undefined {
  const content = decodeHeader(header);
  return isPaymentPayload(content) ? content : undefined;
}

/** What was signed, and by what; `undefined` for another version, another way to pay, or no payment. */
export function readSigned(header: string | undefined): SignedHeader | undefined {
  const payload = header === undefined ? undefined : readPayment(header);
  return payload && signedOf(payload);
}

interface SignedHeader {
  readonly signature: string;
  readonly authorization: Authorization;
}

function signedOf(payload: PaymentPayload): SignedHeader | undefined {
  if (payload.x402Version !== 2 || !('accepted' in payload)) return undefined;
  return payload.payload.authorization && payload.payload;
}
