/** Tests what is read of an MTA-STS policy that senders ignore. */

import { expect, test } from 'vitest';
import { lookUpTransport } from '../../src/inspection/transport.ts';
import type { Fetched } from '../../src/ports/web.ts';
import { askZone, resolverOf } from '../lab/conformance/zone-resolver.ts';

const POLICY = 'version: STSv1\nmode: enforce\nmx: mx.example.com\nmax_age: 604800\n';

async function lookUp(contentType: string, text: string, httpStatus = 200) {
  const zone = { '_mta-sts.example.com': { TXT: ['v=STSv1; id=1'] } };
  const body = new TextEncoder().encode(text);
  const file: Fetched = { status: 'fetched', httpStatus, contentType, body };
  const mx = { mx: ['mx.example.com'], nullMx: false, hasAddress: true };
  const { facts } = await lookUpTransport(
    { resolver: resolverOf(askZone(zone)), fetch: async () => file },
    'example.com',
    'example.com',
    Promise.resolve({
      fromDomainExists: { status: 'known', value: true },
      fromMx: { status: 'known', value: mx },
    }),
  );
  return facts;
}

test('a policy with a wrong media type is broken, but its mode is known', async () => {
  const { mtaSts, report } = await lookUp('text/html', POLICY);
  expect(mtaSts).toMatchObject({ value: { state: 'broken' } });
  expect(report.mta_sts).toMatchObject({ fetched: false, policy: { mode: 'enforce' } });
});

test.each([
  ['text/html', '<html></html>', 200],
  ['text/plain', POLICY, 404],
])('%s with %j and the status %i is no policy', async (type, text, status) => {
  const { mtaSts, report } = await lookUp(type, text, status);
  expect(mtaSts).toMatchObject({ value: { state: 'broken' } });
  expect(report.mta_sts).not.toHaveProperty('policy');
});
