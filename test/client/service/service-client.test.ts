/** Tests the command's client of the HTTP API against unusual responses. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import {
  callPatiently,
  httpCall,
  readStatus,
  requestTest,
  type ServiceOptions,
} from '../../../src/client/service/service-client.ts';

const created = {
  test_id: 'abcdefgh2345',
  address: 'abcdefgh2345@in.example.net',
  read_token: 'token',
  send_before: '2026-11-20T11:00:00.000Z',
};

const playing = (status: number, body: unknown): ServiceOptions => ({
  call: async () => ({ status, headers: new Headers(), body }),
  retryFor: 0,
  note: () => {},
});

test('a test is accepted as a service makes it', async () => {
  expect(await requestTest(playing(201, created))).toEqual(created);
});

test.each([
  { test_id: '../../.profile' },
  { test_id: 7 },
  { read_token: 'a\r\nCookie: b' },
  { read_token: '' },
  { address: null },
])('a test with %j comes from no service, and goes into no file, URL or header', async (change) => {
  await expect(requestTest(playing(201, { ...created, ...change }))).rejects.toMatchObject({
    exitCode: 5,
  });
});

test.each([{ status: 'sold' }, { status: 'waiting', poll_after_seconds: -1 }, null, 'ready'])(
  'a status of %j comes from no service',
  async (body) => {
    await expect(readStatus(playing(200, body), 'abcdefgh2345')).rejects.toMatchObject({
      exitCode: 5,
    });
  },
);

test.each([
  [400, 2],
  [403, 2],
  [404, 6],
  [409, 7],
  [418, 5],
])('a problem with status %d ends with %d, and shows only words', async (status, exitCode) => {
  const problem = { title: 'No.', detail: {}, code: 'some_code' };
  await expect(requestTest(playing(status, problem))).rejects.toMatchObject({
    exitCode,
    message: 'No. (some_code)',
  });
});

test('a response without an end is not read to the end', async () => {
  const server = createServer((_request, response) => {
    const write = (): void => {
      while (response.write('a'.repeat(100_000)));
      response.once('drain', write);
    };
    write();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const call = httpCall(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await expect(callPatiently({ ...playing(0, null), call }, 'GET', '/')).rejects.toMatchObject({
    exitCode: 5,
  });
});

test.each([
  [408, undefined],
  [500, undefined],
  [503, 'log_unavailable'],
  [521, undefined],
])('a %i with the code %s is an outage, and the request is repeated', async (status, code) => {
  const failing = playing(status, code ? { code } : 'a page of a proxy');
  await expect(requestTest(failing)).rejects.toMatchObject({ code: 'service_unreachable' });
  const answers = [await failing.call('POST', '/'), await playing(201, created).call('POST', '/')];
  const service = {
    ...failing,
    retryFor: 60,
    pause: async () => {},
    call: async () => answers.shift() as Awaited<ReturnType<ServiceOptions['call']>>,
  };
  expect(await requestTest(service)).toEqual(created);
});

test('a fault of the service itself is no outage', async () => {
  const problem = { title: 'No.', code: 'internal_error' };
  await expect(requestTest(playing(500, problem))).rejects.toMatchObject({
    code: 'internal_error',
  });
});
