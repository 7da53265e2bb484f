/** Tests the Cloudflare Email Worker in the documentation against the inbound endpoint. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { anEvent } from '../support/log/events.ts';
import { HANDED, inboundEnvironment, TOKEN } from '../support/mail/inbound-environment.ts';
import { ADDRESS, refused } from '../support/mail/mail-environment.ts';

interface Worker {
  email(message: object, env: object): Promise<void>;
}

/** The Worker from the documentation, run as the provider would run it. */
const { default: worker } = (await import(
  new URL('../../docs/cloudflare-email-worker.js', import.meta.url).href
)) as { readonly default: Worker };

/** Passes an email to the Worker. Returns the reason for which it rejects the email, or that it throws. */
async function deliver(baseUrl: string, message: object = {}, token = TOKEN) {
  const setReject = vi.fn();
  const thrown = await worker
    .email(
      {
        from: 'bounce@example.com',
        to: ADDRESS,
        raw: new Blob([HANDED]).stream(),
        setReject,
        ...message,
      },
      { BASE_URL: baseUrl, INBOUND_TOKEN: token },
    )
    .then(
      () => false,
      () => true,
    );
  return { thrown, rejected: setReject.mock.calls.flat() };
}

test('an email that is analysed is accepted', async () => {
  const environment = await inboundEnvironment();
  expect(await deliver(environment.baseUrl)).toEqual({ thrown: false, rejected: [] });
  expect(environment.types()).toEqual(['TestCreated', 'MailArrived', 'AnalysisDone']);
});

test.each([
  ['', { localPart: '', domain: '' }],
  ['bücher%1@example.com', { localPart: 'bücher%1', domain: 'example.com' }],
  ['" x"@example.com', { localPart: '" x"', domain: 'example.com' }],
])('the sender “%s” arrives unchanged', async (from, expected) => {
  const environment = await inboundEnvironment();
  expect(await deliver(environment.baseUrl, { from })).toMatchObject({ thrown: false });
  expect(environment.inspection.begun).toMatchObject([{ from: expected }]);
});

test('an email that is refused is rejected with the words of the SMTP reply', async () => {
  const environment = await inboundEnvironment();
  environment.inspection.gate = async () => refused;
  const { thrown, rejected } = await deliver(environment.baseUrl);
  expect(thrown).toBe(false);
  expect(rejected).toEqual([expect.stringMatching(/^554 5\.7\.1 Refused: 192\.0\.2\.25/)]);
});

test('an email to nobody is rejected', async () => {
  const environment = await inboundEnvironment();
  const { rejected } = await deliver(environment.baseUrl, { to: 'nobody@in.example.net' });
  expect(rejected).toEqual([expect.stringMatching(/^550 5\.1\.1 /)]);
});

test('a wrong token, and a test in analysis, lead to an exception: the sender tries again', async () => {
  const environment = await inboundEnvironment();
  expect(await deliver(environment.baseUrl, {}, 'another')).toEqual({ thrown: true, rejected: [] });
  await environment.append(anEvent('MailArrived', 60));
  expect(await deliver(environment.baseUrl)).toEqual({ thrown: true, rejected: [] });
});

test.each([
  ['a proxy’s page', 502, '<html>'],
  ['a redirect', 302, ''],
  ['a temporary reply', 503, '{"smtp_reply":"451 4.3.0 Later."}'],
])('%s leads to an exception', async (_, status, body) => {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(status, { location: '/' }).end(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  expect(await deliver(`http://127.0.0.1:${port}`)).toEqual({ thrown: true, rejected: [] });
});
