import { ServiceError } from '../../../src/domain/errors.ts';
import { type Api, anApi, given, ready, TOKEN } from '../../api/harness.ts';
import { TEST_ID } from '../../support/process/instants.ts';
import type { Observer } from './observer.ts';

const STATUS = '/v1/tests/{test_id}/status';
const ONE = '/v1/tests/{test_id}';
const url = `/v1/tests/${TEST_ID}`;
const report = `/v1/report?test_id=${TEST_ID}`;
const headers = { 'x-read-token': TOKEN };

const limits = { create: 1, wrongToken: 1, unknownId: 0, default: 2 };

/** The answers of a service that is not well, or has enough of a client: its parts are played. */
export async function observeFaults({ check }: Observer): Promise<void> {
  const ask = async (
    { app }: Api,
    path: string,
    target: string,
    method: 'GET' | 'POST' | 'DELETE' = 'GET',
  ) => {
    const answer = await app.inject({ method, url: target, headers });
    const { statusCode: status } = answer;
    const got = new Response(null, { status, headers: answer.headers as Record<string, string> });
    check(path, method.toLowerCase(), got, answer.body);
  };

  for (const answer of [
    new ServiceError('facilitator_unavailable'),
    new ServiceError('settlement_pending'),
    new ServiceError('payment_required'),
    new Error('a defect'),
  ]) {
    const api = await anApi();
    await given(api, ...ready());
    api.paid.answer = answer;
    if (!(answer instanceof ServiceError && answer.code === 'payment_required'))
      await ask(api, '/v1/report', report);
    api.paid.settling = true;
    await ask(api, ONE, url, 'DELETE');
    await api.app.close();
  }

  const away = await anApi();
  away.log.disconnect();
  await ask(away, '/v1/tests', '/v1/tests', 'POST');
  await ask(away, STATUS, `${url}/status`);
  await ask(away, '/v1/report', report);
  await ask(away, ONE, url, 'DELETE');

  const busy = await anApi({ settings: { rateLimits: limits } });
  for (let n = 0; n < 4; n++) {
    await ask(busy, '/v1/tests', '/v1/tests', 'POST');
    await ask(busy, '/method', '/method');
    await ask(busy, STATUS, `${url}/status`);
  }
}
