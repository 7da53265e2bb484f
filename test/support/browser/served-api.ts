import type { ApiSettings } from '../../../src/api/options.ts';
import { ServiceError } from '../../../src/domain/errors.ts';
import { paymentRequired } from '../../../src/domain/payment-required.ts';
import { type PaymentSettings, paymentTerms } from '../../../src/domain/payment-terms.ts';
import { encodeHeader } from '../../../src/domain/x402-headers.ts';
import { anApi, settings } from '../../api/harness.ts';

/** Serves the API over a log in memory: events lead to every state of a test, in no time. */
export async function serveApi(overrides: Partial<ApiSettings> = {}) {
  let base = 'http://127.0.0.1';
  const api = await anApi({ settings: { baseUrl: () => base, ...overrides } });
  base = await api.app.listen({ port: 0, host: '127.0.0.1' });
  const challenge = paymentRequired(
    base,
    paymentTerms(settings().payment as PaymentSettings, 3600),
  );
  /** Returns a 402 as the settler would. */
  const refused = (code: 'payment_required' | 'payment_invalid', error?: string) => {
    const members = { ...challenge, ...(error && { error }) };
    const headers = { 'payment-required': encodeHeader(members) };
    return new ServiceError(code, { detail: 'Not paid.', members, headers });
  };
  api.paid.answer = refused('payment_required');
  return { ...api, base, refused, stop: () => api.app.close() };
}
