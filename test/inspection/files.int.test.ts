/** Tests the fetching of MTA-STS policies, BIMI logos and certificates. */

import type { RequestListener } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createGuardedFetch } from '../../src/adapters/web/guarded-fetch.ts';
import type { Facts } from '../../src/analysis/facts.ts';
import type { Inspect } from '../../src/ports/mail.ts';
import { startHttpsServer } from '../support/mail/https-server.ts';
import {
  about,
  type InspectionEnvironment,
  readFacts,
  rightMail,
  sign,
  startInspectionEnvironment,
  toBytes,
  zoneWith,
} from '../support/mail/inspection-environment.ts';
import { markCertificate } from '../support/mail/mark-certificate.ts';

const STS = 'mta-sts.example.com';
const WEB = 'www.example.com';

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" version="1.2" baseProfile="tiny-ps" viewBox="0 0 9 9"><title>Shop</title></svg>';

const zone = {
  '_mta-sts.example.com': { TXT: ['v=STSv1; id=1'] },
  'default._bimi.example.com': { TXT: [`v=BIMI1; l=https://${WEB}/logo.svg`] },
  [STS]: { A: ['192.0.2.81'] },
  [WEB]: { A: ['192.0.2.82'] },
};

/** The type and the text of each path; null means 404. */
let files: Record<string, readonly [type: string, body: string] | null>;
let environment: InspectionEnvironment;
let servers: Awaited<ReturnType<typeof startHttpsServer>>[];
let inspect: Inspect;
let signed: string;
beforeAll(async () => {
  const listener: RequestListener = (request, response) => {
    const file = files[request.url ?? ''];
    if (!file) return response.writeHead(404).end();
    return response.setHeader('content-type', file[0]).end(file[1]);
  };
  environment = await startInspectionEnvironment();
  servers = await Promise.all([STS, WEB].map((name) => startHttpsServer(name, listener)));
  const [sts, web] = servers.map(({ override }) => createGuardedFetch({ override }));
  inspect = environment.create({
    fetch: async (url, limits) => {
      const fetch = new URL(url).hostname === STS ? sts : web;
      return fetch?.(url, limits) ?? { status: 'failed', fault: 'ours', reason: 'no server' };
    },
  });
  signed = await sign(rightMail);
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await environment.stop();
});
beforeEach(() => {
  environment.dns.setZone(zoneWith(zone));
  files = {
    '/.well-known/mta-sts.txt': [
      'text/plain',
      'version: STSv1\nmode: enforce\nmx: *.example.com\nmax_age: 86400\n',
    ],
    '/logo.svg': ['image/svg+xml', svg],
  };
});

const inspectAll = async (): Promise<Facts> =>
  (await readFacts(inspect(about), toBytes(signed))).facts;

test('a correct policy and logo are reported, with what was fetched', async () => {
  const facts = await inspectAll();
  expect(facts.transport).toMatchObject({
    mtaSts: { value: { state: 'enforce', fault: null } },
    report: {
      mta_sts: {
        id: '1',
        fetched: true,
        mx_covered: true,
        policy: { mode: 'enforce', max_age: 86400 },
      },
    },
  });
  expect(facts.bimi).toMatchObject({
    value: {
      logo: { value: 'valid' },
      certificate: { value: 'absent' },
      organizationalDomainReady: true,
      report: { result: 'pass', dmarc_ready: true, logo: { size_bytes: svg.length, square: true } },
    },
  });
  expect(facts.remarks).toEqual([
    `fetched: https://${STS}/.well-known/mta-sts.txt`,
    `fetched: https://${WEB}/logo.svg`,
  ]);
});

test.each<[string, readonly [string, string] | null, string]>([
  ['a policy that is not there', null, 'the URL of the policy returns status 404'],
  ['a page', ['text/html', '<html>'], 'the policy is not served as text/plain'],
  [
    'a policy for other hosts',
    ['text/plain', 'version: STSv1\nmode: enforce\nmx: mx.example.net\nmax_age: 1\n'],
    'the policy does not cover mail.example.com',
  ],
])('%s breaks MTA-STS', async (_, file, fault) => {
  files['/.well-known/mta-sts.txt'] = file;
  expect((await inspectAll()).transport.mtaSts).toEqual({
    status: 'known',
    value: { state: 'broken', fault, published: ['v=STSv1; id=1'] },
  });
});

test('without MX, the policy must contain the domain itself', async () => {
  environment.dns.setZone(zoneWith({ ...zone, 'example.com': { A: ['192.0.2.80'] } }));
  expect((await inspectAll()).transport.mtaSts).toMatchObject({
    value: { state: 'broken', fault: 'the policy does not cover example.com' },
  });
});

test('a policy host that does not exist is the sender’s fault, one that does not answer is unknown', async () => {
  environment.dns.setZone(zoneWith({ ...zone, [STS]: null }));
  expect((await inspectAll()).transport.mtaSts).toMatchObject({ value: { state: 'broken' } });
  environment.dns.setZone(zoneWith({ ...zone, [STS]: { A: ['10.0.0.1'] } }));
  expect((await inspectAll()).transport.mtaSts).toMatchObject({ status: 'unknown' });
});

test.each([
  ['that does not exist', null],
  ['at a private address', { A: ['10.0.0.1'] }],
])('the notes say "fetched" about no file on a host %s', async (_, host) => {
  environment.dns.setZone(zoneWith({ ...zone, [STS]: host }));
  expect((await inspectAll()).remarks).toEqual([`fetched: https://${WEB}/logo.svg`]);
  environment.dns.setZone(zoneWith({ ...zone, [STS]: host, [WEB]: host }));
  expect((await inspectAll()).remarks).toEqual([]);
});

test.each<[string, readonly [string, string] | null, object]>([
  ['a missing logo', null, { logo: { value: 'invalid' } }],
  ['a logo of another type', ['image/png', svg], { logo: { value: 'invalid' } }],
  [
    'a logo over 32 KB',
    ['image/svg+xml', svg + ' '.repeat(33_000)],
    { logo: { value: 'invalid' } },
  ],
  [
    'a logo with a script',
    ['image/svg+xml', svg.replace('<title>', '<script/><title>')],
    { logo: { value: 'invalid' }, badElement: '<script>' },
  ],
  [
    'a wide logo',
    ['image/svg+xml', svg.replace('0 0 9 9', '0 0 9 3')],
    { logo: { value: 'not_square' } },
  ],
])('%s is a fact', async (_, file, expected) => {
  files['/logo.svg'] = file;
  expect(await inspectAll()).toMatchObject({ bimi: { value: expected } });
});

test('a certificate of an unknown authority is not valid', async () => {
  const record = `v=BIMI1; l=https://${WEB}/logo.svg; a=https://${WEB}/mark.pem`;
  environment.dns.setZone(zoneWith({ ...zone, 'default._bimi.example.com': { TXT: [record] } }));
  files['/mark.pem'] = ['application/x-pem-file', markCertificate({ svg })];
  expect(await inspectAll()).toMatchObject({
    bimi: {
      value: {
        certificate: { value: 'invalid' },
        certificateFault: 'no known mark authority issued the certificate',
        report: { result: 'fail', certificate: { checked: true, valid: false } },
      },
    },
  });
});

test('without enforced DMARC, there is no logo', async () => {
  const weak = { '_dmarc.example.com': { TXT: ['v=DMARC1; p=none'] } };
  environment.dns.setZone(zoneWith({ ...zone, ...weak }));
  expect((await inspectAll()).bimi).toMatchObject({
    value: { report: { result: 'skipped', dmarc_ready: false }, organizationalDomainReady: false },
  });
});
