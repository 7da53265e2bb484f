/** Tests that Prometheus metrics are served on a port of their own. */

import { expect, test } from 'vitest';
import { buildMetricsApp } from '../../src/api/metrics-app.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { anApi } from './harness.ts';

test('metrics are served separately from the API', async () => {
  const { source, mails } = createMetrics();
  mails.inc({ outcome: 'accepted' });
  const metrics = await buildMetricsApp(source, createLogger('silent'));
  const answer = await metrics.inject('/metrics');
  expect(answer.headers['content-type']).toBe(source.contentType);
  expect(answer.body).toContain('deliverability_mails_total{outcome="accepted"} 1');
  const { app } = await anApi();
  expect((await app.inject('/metrics')).statusCode).toBe(404);
  await app.close();
});
