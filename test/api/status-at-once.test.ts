/** Tests that polls answered before the web framework get the same bytes as others. */

import { type AddressInfo, connect } from 'node:net';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { TestEvent } from '../../src/domain/events.ts';
import { toTestId } from '../../src/domain/ids.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { WAIT_MS } from '../run/limits.mjs';
import { anEvent } from '../support/log/events.ts';
import { T0, TEST_ID } from '../support/process/instants.ts';
import { anApi, created, given } from './harness.ts';

const POLL = `GET /v1/tests/${TEST_ID}/status HTTP/1.1\r\nHost: a\r\n`;

interface Environment {
  readonly prefix?: string;
  readonly limit?: number;
  readonly trustProxy?: string[];
  readonly logLevel?: string;
}

async function aService({
  prefix = '',
  limit = 0,
  trustProxy = [],
  logLevel = 'info',
}: Environment) {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const metrics = createMetrics();
  const api = await anApi({
    settings: {
      baseUrl: () => `https://mailtest.example${prefix}`,
      rateLimits: { create: 2, wrongToken: 0, unknownId: 3, default: limit },
      trustProxy,
    },
    options: { metrics, logger: createLogger(logLevel, destination) },
  });
  const routing = vi.spyOn(api.app, 'routing');
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = api.app.server.address() as AddressInfo;
  const exchange = (bytes: string) => exchangeAt(port, bytes);
  return { ...api, lines, exchange, metrics, routing };
}

/** Sends bytes as they are, and returns the complete response except for the parts that always differ. */
const exchangeAt = (port: number, bytes: string) =>
  new Promise<string>((resolve, reject) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes, 'latin1'));
    socket.setTimeout(WAIT_MS, () => socket.destroy(new Error('no answer')));
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
    });
    socket.on('end', () =>
      resolve(
        answer.replace(/^date: .*/gim, 'date').replace(/\b[\da-f]{8}(-[\da-f]+){4}\b/g, 'id'),
      ),
    );
    socket.on('error', reject);
  });

/** Creates an API in which every request goes through the whole framework. */
async function aWholeWay(environment: Environment) {
  const service = await aService(environment);
  const { server, routing } = service.app;
  server.removeAllListeners('request');
  server.on('request', routing);
  return service;
}

type Service = Awaited<ReturnType<typeof aService>>;

/** Returns to the beginning, with a test of another id. */
async function begin({ log, clock, follower, behind, late, damaged }: Service, id: string) {
  clock.now = T0 + 61_000;
  follower.isBehind = false;
  for (const set of [behind, late, damaged]) set.clear();
  await log.append(id, beginning, 0);
}

async function append({ log }: Service, id: string, event: TestEvent): Promise<void> {
  const last = log.all().findLast((one) => one.id === id);
  await log.append(id, event, last?.seq ?? 0);
}

const [beginning, arrived, analysed, failed] = [
  created(),
  anEvent('MailArrived', 60),
  anEvent('AnalysisDone', 61),
  anEvent('AnalysisFailed', 61),
];
const [refused, deleted] = [anEvent('MailRefused', 50), anEvent('TestDeleted', 70)];
const toggle = (set: Set<string>, id: string) => void (set.delete(id) || set.add(id));

const changes: Readonly<Record<string, (service: Service, id: string) => unknown>> = {
  'an email came': (service, id) => append(service, id, arrived),
  'its report is written': (service, id) => append(service, id, analysed),
  'its analysis failed': (service, id) => append(service, id, failed),
  'an email was refused': (service, id) => append(service, id, refused),
  'the test is deleted': (service, id) => append(service, id, deleted),
  'the test is a day old': ({ clock }) => {
    clock.now += 86_400_000;
  },
  'the replica is behind': ({ follower }) => {
    follower.isBehind = !follower.isBehind;
  },
  'the replica does not know the test': ({ behind }, id) => toggle(behind, id),
  'the replica does not know the last event': ({ late }, id) => toggle(late, id),
  'the test is damaged': ({ damaged }, id) => toggle(damaged, id),
};

const often = <T>(weight: number, usual: T, ...others: readonly T[]) =>
  fc.oneof({ weight, arbitrary: fc.constant(usual) }, fc.constantFrom(...others));
const method = often(8, 'GET', 'HEAD', 'POST', 'OPTIONS', 'DELETE');
/** Placeholder for the id of the test of this run. */
const OWN = 'own';
const test_id = often(8, OWN, 'aaaaaaaaaaaa', 'samplereport', 'ABC', '%61bcdefgh2345', '');
const end = often(8, '/status', '/status?a=b', '/status/', '/Status', '/status/status', '');
const headers = fc.subarray(
  [
    ...['Prefer: wait=0', 'pReFeR: respond-async', 'Test-Position: 0', 'TEST-POSITION: 4000'],
    ...['Content-Length: 0', 'Expect: 100-continue', 'Upgrade: h2c', 'If-None-Match: *'],
    ...['X-Forwarded-For: 198.51.100.7', 'x-forwarded-for: 198.51.100.7, 10.1.2.3'],
    ...['X-Forwarded-For: 2001:db8::1', 'X-FORWARDED-FOR: nobody', 'Forwarded: for=192.0.2.9'],
    ...['Accept: text/html', 'Accept-Encoding: gzip', 'Origin: https://agent.example'],
    ...['Connection: keep-alive', 'Host: b', 'Cookie: a=b', 'Accept-Version: 2.x'],
  ],
  { maxLength: 3 },
);
const requestTo = (prefix: string) =>
  fc
    .tuple(
      method,
      often(4, prefix, '', '/mail', '/other'),
      test_id,
      end,
      often(9, 'Host: a', 'HOST: A', 'X: y'),
      headers,
      often(12, '1.1', '1.0'),
    )
    .map(([verb, root, test, rest, host, more, version]) =>
      [`${verb} ${root}/v1/tests/${test}${rest} HTTP/${version}`, host, ...more, ''].join('\r\n'),
    );
const stepTo = (prefix: string) =>
  fc.oneof(
    { weight: 4, arbitrary: fc.array(requestTo(prefix), { minLength: 1, maxLength: 6 }) },
    fc.constantFrom(...Object.keys(changes)),
  );

/**
 * Requests on one connection, without waiting for a response. Whatever follows the last request of a
 * connection is not HTTP, and its response overtakes those before it in the framework.
 */
const inARow = (requests: readonly string[]) =>
  requests
    .map((one, at) =>
      at < requests.length - 1
        ? one.replace('HTTP/1.0', 'HTTP/1.1')
        : `${one.replace('Connection: keep-alive\r\n', '')}Connection: close\r\n`,
    )
    .map((one) => `${one}\r\n`)
    .join('');

/** Returns the series of the metrics that count responses, with their values. */
async function countsOf({ metrics }: Service) {
  const lines = (await metrics.source.metrics()).split('\n');
  const counts = lines.filter((line) => /_(requests_total|seconds_count)\b.* [1-9]/.test(line));
  return counts
    .map((line) => line.replace(/{(.*)}/, (_, all) => `${all.split(',').sort()}`))
    .sort();
}

describe('a fast response equals the one through the framework, byte for byte, and counts alike', () => {
  test.each<Environment>([
    {},
    { prefix: '/mail', limit: 9 },
    { limit: 5, trustProxy: ['127.0.0.1', '10.0.0.0/8'] },
  ])('with %j', async (environment) => {
    let now = 0;
    const time = vi.spyOn(performance, 'now').mockImplementation(() => now);
    onTestFinished(() => time.mockRestore());
    const quick = await aService(environment);
    const whole = await aWholeWay(environment);
    const both = [quick, whole];
    let runs = 0;
    const steps = fc.array(stepTo(environment.prefix ?? ''), { minLength: 4, maxLength: 16 });
    await fc.assert(
      fc.asyncProperty(steps, async (taken) => {
        runs += 1;
        // Every rate limit starts again.
        now += 60_000;
        const id = toTestId(Buffer.from(String(runs).padStart(8, '0'))) ?? '';
        for (const one of both) await begin(one, id);
        for (const step of taken) {
          if (typeof step === 'string') for (const one of both) await changes[step]?.(one, id);
          else {
            const bytes = inARow(step).replaceAll(`/${OWN}/`, `/${id}/`);
            expect(await quick.exchange(bytes)).toBe(await whole.exchange(bytes));
          }
        }
      }),
      { numRuns: 30 },
    );
    expect(await countsOf(quick)).toEqual(await countsOf(whole));
    const [passedOn, all] = both.map(({ routing }) => routing.mock.calls.length);
    expect((all ?? 0) - (passedOn ?? 0)).toBeGreaterThan(0);
    for (const { app } of both) await app.close();
  });
});

test.each([
  ['info', false],
  ['debug', true],
])('with the log level %s, the response to a poll is logged: %s', async (logLevel, isLogged) => {
  const { app, log, exchange, lines } = await aService({ logLevel });
  await given({ log }, beginning);
  expect(await exchange(`${POLL}Connection: close\r\n\r\n`)).toMatch(/^HTTP\/1.1 200 OK\r\n/);
  expect(lines.join('').includes('request answered')).toBe(isLogged);
  await app.close();
});

test('a poll that arrives while the service stops is the last one on its connection', async () => {
  const api = await anApi({ options: { logger: createLogger('info', { write: () => {} }) } });
  await given(api, beginning);
  let answer = '';
  api.app.addHook('preClose', async () => {
    const { port } = api.app.server.address() as AddressInfo;
    answer = await exchangeAt(port, `${POLL}\r\n`);
  });
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  await api.app.close();
  expect(answer).toMatch(/^HTTP\/1.1 200 OK\r\n/);
  expect(answer).toMatch(/^connection: close\r$/im);
});
