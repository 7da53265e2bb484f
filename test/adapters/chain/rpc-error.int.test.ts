/**
 * Tests that the log tells apart a node that is down, one that refuses and one that is silent, without
 * showing its URL.
 */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { answered, openRpc } from '../../../src/adapters/chain/rpc.ts';
import { createLogger } from '../../../src/telemetry/logger.ts';
import { freePorts } from '../../environment/free-ports.ts';

/** Returns one line of the log about a node at this address, whose path contains its key. */
async function logged(port: number, milliseconds = 30_000): Promise<string> {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const rpc = openRpc({ rpcUrl: `http://127.0.0.1:${port}/hunter2`, network: 'eip155:8453' });
  const err = await answered(rpc.getBlockNumber(), milliseconds).catch((error: unknown) => error);
  createLogger('info', stream).warn({ err }, 'the hot wallet cannot be read');
  expect(lines).toHaveLength(1);
  expect(lines[0]).not.toContain('hunter2');
  return lines[0] ?? '';
}

async function serve(status: number | null): Promise<number> {
  const server = createServer((_request, response) => {
    if (status !== null) response.writeHead(status).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

test('the one log line differs for a dead node, one that refuses and one that is silent', async () => {
  const [dead = 0] = await freePorts(1);
  expect(await logged(dead)).toContain('"name":"RpcError","code":"ECONNREFUSED"');
  expect(await logged(await serve(401))).toContain('"name":"RpcError","code":"HTTP 401"');
  expect(await logged(await serve(null), 50)).toContain('"name":"RpcError","code":"TimeoutError"');
});
