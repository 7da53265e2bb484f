/** Tests the traces that the service sends to an OpenTelemetry collector. */

import { expect, test } from 'vitest';
import { payingFetch } from '../environment/payer.ts';
import { startService } from '../environment/service-process.ts';
import { startStack } from '../support/process/stack.ts';
import { type SentSpan, startCollector } from '../support/telemetry/collector.ts';

const preload = new URL('../support/telemetry/note-opentelemetry.ts', import.meta.url);

const names = ({ attributes }: SentSpan, id: string) => JSON.stringify(attributes).includes(id);

test('the spans of a test are one trace at the collector, whichever replica made them; without an endpoint OpenTelemetry is not even loaded', async () => {
  const collector = await startCollector();
  const stack = await startStack({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint });
  const { env, chain } = stack.environment;
  const log: string[] = [];
  const start = (changed: Readonly<Record<string, string>>) =>
    startService({ env: { ...env, ...changed }, onLog: (line) => log.push(line), preload });
  const loaded = () => log.some((line) => line.includes('loads @opentelemetry/'));

  const bought = await stack.create();
  expect(await stack.send(bought.address)).toMatch(/^250/);
  const unused = await stack.create();

  const silent = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: '' });
  await silent.stop();
  expect(loaded()).toBe(false);

  const other = await start({});
  expect(loaded()).toBe(true);
  const pay = payingFetch(chain.payer.privateKey, 'eip155:8453');
  const url = `${other.listening().http}/v1/report?test_id=${bought.test_id}`;
  expect((await pay(url, { headers: { 'x-read-token': bought.read_token } })).status).toBe(200);
  await other.stop();
  await stack.stop();
  await collector.stop();

  const spans = collector.spans();
  const traceOf = (id: string) => {
    const first = spans.find((span) => span.name === 'test created' && names(span, id));
    return spans.filter(({ traceId }) => traceId === first?.traceId);
  };
  const trace = traceOf(bought.test_id);
  const above = (name: string) => {
    const below = trace.find((span) => span.name === name);
    return trace.find(({ spanId }) => spanId === below?.parentSpanId)?.name;
  };
  expect(trace.every((span) => names(span, bought.test_id))).toBe(true);
  expect(above('mail transaction')).toBe('test created');
  expect(above('mail gate')).toBe('mail transaction');
  expect(above('mail analysis')).toBe('mail transaction');
  expect(above('report request')).toBe('test created');
  expect(above('settlement')).toBe('report request');
  expect(traceOf(unused.test_id).map(({ name }) => name)).toEqual(['test created']);
});
