import type { ServiceAnswer, ServiceCall } from './service-call.ts';

/** Longest wait that the status grants, in seconds. */
const GRANTED_SECONDS = 30;

/** The status after its next change; what ended already answers at once. */
export async function waitForChange(
  call: ServiceCall,
  testId: string,
  seconds: number,
): Promise<ServiceAnswer> {
  const path = `/v1/tests/${testId}/status`;
  const first = Math.min(seconds, GRANTED_SECONDS);
  const answer = await call('GET', path, first > 0 ? { prefer: `wait=${first}` } : {});
  const { status } = (answer.body ?? {}) as { readonly status?: unknown };
  const rest = seconds - first;
  if (rest <= 0 || answer.status !== 200 || status !== 'waiting') return answer;
  const seen = answer.headers.get('test-position') ?? '0';
  return call('GET', path, { prefer: `wait=${rest}`, 'test-position': seen });
}
