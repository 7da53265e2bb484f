/** Reads the payment that a request carries in its `PAYMENT-SIGNATURE` header. */

import {
  type PaymentPayload,
  readPaymentPayload,
  type SignedAuthorization,
} from '../../domain/payment-payload.ts';
import { readHeader } from '../../domain/x402-headers.ts';

/** Returns the payment in a `PAYMENT-SIGNATURE` header, or a sentence that says why it is not one. */
export function readPayment(header: string): PaymentPayload | { readonly fault: string } {
  const read = readHeader(header);
  if ('fault' in read) return { fault: `PAYMENT-SIGNATURE ${read.fault}.` };
  return readPaymentPayload(read.content);
}

/**
 * Returns the signed authorization and its signature, or `undefined` if the header contains no payment, or
 * one of another version or scheme.
 */
export function readSigned(header = ''): SignedAuthorization | undefined {
  const payment = readPayment(header);
  return 'signed' in payment ? payment.signed : undefined;
}
