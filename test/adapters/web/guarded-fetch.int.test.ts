import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGuardedFetch } from '../../../src/adapters/web/guarded-fetch.ts';
import type { DnsAnswer, Resolver } from '../../../src/ports/dns.ts';
import { startHttpsServer } from '../../support/mail/https-server.ts';

const HOST = 'mta-sts.example.com';

let server: Awaited<ReturnType<typeof startHttpsServer>>;
beforeAll(async () => {
  server = await startHttpsServer(HOST, (request, response) => {
    switch (request.url) {
      case '/policy?x=1':
        return response.setHeader('content-type', 'text/plain').end(`host ${request.headers.host}`);
      case '/moved':
        return response.writeHead(301, { location: '/policy?x=1' }).end();
      case '/gone':
        return response.writeHead(404).end();
      case '/large':
        return response.end('x'.repeat(2000));
      case '/endless':
        response.write('x');
        return undefined;
      case '/cut':
        response.writeHead(200, { 'content-length': 100 });
        response.write('x', () => response.destroy());
        return undefined;
      case '/headers':
        return response.setHeader('x-long', 'y'.repeat(20_000)).end();
      default:
        return undefined;
    }
  });
});
afterAll(() => server.stop());

const resolverOf = (a: readonly string[] | string, aaaa: readonly string[] = []) => {
  const answer = (records: readonly string[] | string): DnsAnswer<string> =>
    typeof records === 'string'
      ? { status: 'failed', error: records }
      : records.length > 0
        ? { status: 'found', records, cnames: [] }
        : { status: 'nodata', cnames: [] };
  return {
    addresses: async (_: string, type: 'A' | 'AAAA') => answer(type === 'A' ? a : aaaa),
  } as unknown as Resolver;
};

const fetch = (path: string, resolver = resolverOf(['192.0.2.1']), change = {}) =>
  createGuardedFetch({
    override: { ...server.override, ...change },
    deadlineMs: path === '/endless' || path === '/silence' ? 400 : 10_000,
  })(path.startsWith('/') ? `https://${HOST}${path}` : path, { maxBytes: 1000, resolver });

test('a file comes with its status and type', async () => {
  const file = await fetch('/policy?x=1');
  expect(file).toMatchObject({ status: 'fetched', httpStatus: 200, contentType: 'text/plain' });
  expect(file.status === 'fetched' && Buffer.from(file.body).toString()).toBe(`host ${HOST}`);
});

test('a redirect is not followed', async () => {
  expect(await fetch('/moved')).toMatchObject({ status: 'fetched', httpStatus: 301 });
});

test.each<[string, string, object]>([
  ['a file that is gone', '/gone', { status: 'fetched', httpStatus: 404 }],
  ['a file that is too large', '/large', { fault: 'ours', reason: 'too_large' }],
  ['a file without end', '/endless', { fault: 'ours', reason: 'no answer in time' }],
  ['silence', '/silence', { fault: 'ours', reason: 'no answer in time' }],
  ['a file cut short', '/cut', { fault: 'theirs', reason: 'connection closed' }],
  ['headers without measure', '/headers', { fault: 'theirs', reason: 'no HTTP' }],
  ['plain http', `http://${HOST}/policy`, { fault: 'theirs' }],
  ['another port', `https://${HOST}:8443/policy`, { fault: 'theirs' }],
  ['credentials', `https://a:b@${HOST}/policy`, { fault: 'theirs' }],
  [
    'a certificate for another name',
    'https://other.example.com/policy',
    { fault: 'theirs', reason: 'its certificate is not valid' },
  ],
  [
    'a literal of our own network',
    'https://10.0.0.1/policy',
    { fault: 'ours', reason: 'no public address' },
  ],
  [
    'a literal in other spelling',
    'https://0x7f.1/policy',
    { fault: 'ours', reason: 'no public address' },
  ],
])('%s', async (_, path, expected) => {
  expect(await fetch(path)).toMatchObject(expected);
});

test.each<[string, Resolver, object]>([
  ['no address', resolverOf([]), { fault: 'theirs', reason: 'its host has no address' }],
  ['DNS that fails', resolverOf('SERVFAIL'), { fault: 'ours' }],
  [
    'addresses of our own network',
    resolverOf(['127.0.0.1', '10.0.0.1', '169.254.169.254'], ['::1', 'fd00::1']),
    { fault: 'ours', reason: 'no public address' },
  ],
])('%s', async (_, resolver, expected) => {
  expect(await fetch('/policy?x=1', resolver)).toMatchObject(expected);
});

test('an unknown authority is not believed', async () => {
  expect(await fetch('/policy?x=1', undefined, { ca: undefined })).toMatchObject({
    fault: 'theirs',
    reason: 'its certificate is not valid',
  });
});

test('a closed port is theirs', async () => {
  const gone = await startHttpsServer(HOST, () => {});
  await gone.stop();
  expect(await fetch('/policy', undefined, { port: gone.override.port })).toMatchObject({
    fault: 'theirs',
    reason: 'connection refused',
  });
});

test('without a file left for a connection it is no fact about anybody: the mail is starved', () => {
  const script = fileURLToPath(new URL('./out-of-files.ts', import.meta.url));
  const limited = ['-c', 'ulimit -n 60 && exec "$0" "$1"', process.execPath, script];
  const output = execFileSync('sh', limited, { encoding: 'utf8', env: {} });
  expect(JSON.parse(output)).toEqual({ starved: true, status: 'failed' });
});
