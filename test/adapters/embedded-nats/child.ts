/** Starts a nats-server in a process of its own, which a test can kill. */

import { startEmbeddedNats } from '../../../src/adapters/embedded-nats/start.ts';

const [dataDir = '', serverBin = ''] = process.argv.slice(2);

try {
  const { url, token, pid } = await startEmbeddedNats({ dataDir, serverBin });
  console.log(JSON.stringify({ url, token, pid }));
  setInterval(() => {}, 60_000);
} catch (error) {
  console.log(JSON.stringify({ error: error instanceof Error ? error.message : 'unknown' }));
}
