import { isPaymentPayload, type PaymentPayload } from '../../domain/payment-payload.ts';
import type { Authorization } from '../../domain/x402.ts';
import { decodeHeader } from '../../domain/x402-headers.ts';

/** The payment in a `PAYMENT-SIGNATURE` header; `undefined` when it is not one. */
export function readPayment(header: string): PaymentPayload | undefined {
  const content = decodeHeader(header);
  return isPaymentPayload(content) ? content : undefined;
}

interface SignedHeader {
  readonly signature: string;
  readonly authorization: Authorization;
}

/** What was signed, and by what; `undefined` for another version, another way to pay, or no payment. */
export function readSigned(header = ''): SignedHeader | undefined {
  const payload = readPayment(header);
  if (payload?.x402Version !== 2 || !('accepted' in payload)) return undefined;
  return payload.payload.authorization && payload.payload;
}
