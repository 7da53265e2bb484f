import type { SignedPayment } from '../../ports/payment.ts';
import type { SettlementContext } from './context.ts';
import type { Purchase } from './purchase.ts';

/** The payment as its token takes it. @throws ServiceError when the payer did not sign it, or nobody knows */
export async function signedBy(
  { answers, chain }: SettlementContext,
  purchase: Purchase,
  payment: SignedPayment,
): Promise<SignedPayment> {
  const verdict = await chain.checkSignature(payment).catch((cause: unknown) => {
    throw answers.upstream(cause);
  });
  if (verdict.ok) return verdict.payment;
  throw answers.invalid(purchase, verdict.reason);
}
