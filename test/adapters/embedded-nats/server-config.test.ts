/** Tests the configuration file that the service writes for its own nats-server. */

import { expect, test } from 'vitest';
import { serverConfig } from '../../../src/adapters/embedded-nats/server-config.ts';

const own = { port: -1, storeDir: '/data/"odd" \\dir', portsDir: '/ports', token: 'abc' };
const config = serverConfig(own);

test('the server listens only on loopback, on a port of the kernel’s choice', () => {
  expect(config).toContain('listen: "127.0.0.1:-1"');
  expect(config).not.toContain('http');
});

test('a server that succeeds another listens where that one did', () => {
  expect(serverConfig({ ...own, port: 4222 })).toContain('listen: "127.0.0.1:4222"');
});

test('every write is synced before it is acknowledged', () => {
  expect(config).toContain('sync_interval: always');
});

test('a key is named but not written', () => {
  expect(config).not.toContain('cipher');
  expect(serverConfig({ ...own, encrypted: true })).toContain('key: $NATS_STORE_KEY\n');
});

test('a path with quotes and backslashes remains one value', () => {
  expect(config).toContain('store_dir: "/data/\\"odd\\" \\\\dir"');
});

test('the size of the store is in bytes', () => {
  expect(config).toContain('max_file_store: 10737418240');
  const limits = { maxFileStoreBytes: 4096 };
  expect(serverConfig({ ...own, limits })).toContain('max_file_store: 4096');
});
