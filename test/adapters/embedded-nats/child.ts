import { startEmbeddedNats } from '../../../src/adapters/embedded-nats/start.ts';

/** A service that another process may kill: starts a server, says where, and stays. */
const [dataDir = '', serverBin = ''] = process.argv.slice(2);

try {
  const { url, token, pid } = await startEmbeddedNats({ dataDir, serverBin });
  console.log(JSON.stringify({ url, token, pid }));
  setInterval(() => {}, 60_000);
} catch (error) {
  console.log(JSON.stringify({ error: error instanceof Error ? error.message : 'unknown' }));
}
