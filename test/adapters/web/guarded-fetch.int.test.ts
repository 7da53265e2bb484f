/** Tests the guarded fetch of policies and logos against hostile web servers. */

import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGuardedFetch } from '../../../src/adapters/web/guarded-fetch.ts';
import type { DnsAnswer, Resolver } from '../../../src/ports/dns.ts';
import { startHttpsServer } from '../../support/mail/https-server.ts';

const HOST = 'mta-sts.example.com';

const FILE = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const HINT = 'HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n';

/**
 * Texts that a server writes directly on the connection, after which it closes its half of it (`end`) or all
 * of it (`close`).
 */
const RAW: Readonly<Record<string, readonly [text: string, then?: 'end' | 'close']>> = {
  '/101': ['HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n'],
  '/101-bare': ['HTTP/1.1 101 Switching Protocols\r\n\r\n'],
  '/101-end': [`HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n${FILE}`, 'end'],
  '/upgrade-200': [FILE.replace('OK', 'OK\r\nConnection: upgrade\r\nUpgrade: h2c')],
  '/continue': [`HTTP/1.1 100 Continue\r\n\r\n${FILE}`],
  '/continue-only': ['HTTP/1.1 100 Continue\r\n\r\n'],
  '/processing-end': ['HTTP/1.1 102 Processing\r\n\r\n', 'end'],
  '/hints': [HINT + HINT + FILE],
  '/hints-end': [HINT, 'end'],
  '/hints-flood': [HINT.repeat(100_000)],
  '/close': ['', 'close'],
  '/end': ['', 'end'],
  '/half-head': ['HTTP/1.1 200 OK\r\nContent-', 'end'],
  '/half-body': ['HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok', 'end'],
  '/half-chunk': ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nok', 'end'],
  '/until-end': ['HTTP/1.1 200 OK\r\n\r\nok', 'end'],
  '/until-silence': ['HTTP/1.1 200 OK\r\n\r\nok'],
  '/trailers': [
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-A\r\n\r\n2\r\nok\r\n0\r\nX-A: 1\r\n\r\n',
  ],
  '/trailers-open': [
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-A: 1\r\n',
  ],
  '/trailers-long': [
    `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n${'X-A: 1\r\n'.repeat(10_000)}`,
  ],
  '/204': ['HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n'],
  '/twice': [FILE + FILE],
};

let server: Awaited<ReturnType<typeof startHttpsServer>>;
beforeAll(async () => {
  server = await startHttpsServer(HOST, (request, response) => {
    const [raw, then] = RAW[request.url ?? ''] ?? [];
    if (raw !== undefined) {
      request.socket.write(raw);
      if (then === 'end') request.socket.end();
      if (then === 'close') request.socket.destroySoon();
      return undefined;
    }
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

/** Responses that only their deadline ends. */
const SLOW = new Set([
  '/endless',
  '/silence',
  '/continue-only',
  '/until-silence',
  '/trailers-open',
]);

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
    deadlineMs: SLOW.has(path) ? 400 : 10_000,
  })(path.startsWith('/') ? `https://${HOST}${path}` : path, { maxBytes: 1000, resolver });

test('a file is returned with its status and type', async () => {
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

const ok = { status: 'fetched', httpStatus: 200, body: Buffer.from('ok') };
const late = { fault: 'ours', reason: 'no answer in time' };
const closed = { fault: 'theirs', reason: 'connection closed' };
const noHttp = { fault: 'theirs', reason: 'no HTTP' };

test.each<[string, string, object]>([
  ['101 with an upgrade', '/101', noHttp],
  ['101 alone', '/101-bare', noHttp],
  ['101, a file behind it, and an end', '/101-end', noHttp],
  ['200 that names an upgrade', '/upgrade-200', ok],
  ['100, then a file', '/continue', ok],
  ['100 alone', '/continue-only', late],
  ['102, then an end', '/processing-end', closed],
  ['early hints, then a file', '/hints', ok],
  ['early hints, then an end', '/hints-end', closed],
  ['early hints without end', '/hints-flood', noHttp],
  ['a connection that is closed at once', '/close', closed],
  ['a half that is closed at once', '/end', closed],
  ['a half that is closed in the header', '/half-head', { fault: 'theirs' }],
  ['a half that is closed in the body', '/half-body', closed],
  ['a half that is closed in a chunk', '/half-chunk', closed],
  ['a body that ends with its half', '/until-end', ok],
  ['a body that ends never', '/until-silence', late],
  ['trailers', '/trailers', ok],
  ['trailers without end', '/trailers-open', late],
  ['trailers without measure', '/trailers-long', noHttp],
  ['204 that announces a body', '/204', { status: 'fetched', httpStatus: 204 }],
  ['two answers', '/twice', ok],
])('a server that sends %s: settled in time', async (_, path, expected) => {
  const waited = new Promise((resolve) => setTimeout(resolve, 4000, 'not settled'));
  expect(await Promise.race([fetch(path), waited])).toMatchObject(expected);
});

test('an unknown authority is not trusted', async () => {
  expect(await fetch('/policy?x=1', undefined, { ca: undefined })).toMatchObject({
    fault: 'theirs',
    reason: 'its certificate is not valid',
  });
});

test('a closed port is the server’s fault', async () => {
  const gone = await startHttpsServer(HOST, () => {});
  await gone.stop();
  expect(await fetch('/policy', undefined, { port: gone.override.port })).toMatchObject({
    fault: 'theirs',
    reason: 'connection refused',
  });
});

test.each<[string, (socket: Socket) => void, object]>([
  ['silence', () => {}, late],
  ['a half that is closed at once', (socket) => socket.end(), closed],
  ['a reset', (socket) => socket.resetAndDestroy(), closed],
  ['plain HTTP', (socket) => socket.end(FILE), { fault: 'theirs', reason: 'no TLS' }],
  ['the head of a TLS record, and an end', (socket) => socket.end('\x16\x03\x03\x40'), closed],
])('%s instead of a TLS handshake: settled in time', async (_, answer, expected) => {
  const plain = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {});
    answer(socket);
  });
  plain.listen(0, '127.0.0.1');
  await once(plain, 'listening');
  const { port } = plain.address() as AddressInfo;
  expect(await fetch('/silence', undefined, { port })).toMatchObject(expected);
  plain.close();
});

test('if no file descriptor is left for a connection, that is no fact about anybody: the email is starved', () => {
  const script = fileURLToPath(new URL('./out-of-files.ts', import.meta.url));
  const limited = ['-c', 'ulimit -n 60 && exec "$0" "$1"', process.execPath, script];
  const output = execFileSync('sh', limited, { encoding: 'utf8', env: {} });
  expect(JSON.parse(output)).toEqual({ starved: true, status: 'failed' });
});
