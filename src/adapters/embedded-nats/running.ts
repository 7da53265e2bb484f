import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The address and the token that the server of a running service left in `dataDir`; `undefined`
 * when there never was one. It may be gone: only connecting shows it.
 */
export async function findEmbeddedNats(
  dataDir: string,
): Promise<{ readonly url: string; readonly token: string } | undefined> {
  const home = join(dataDir, 'nats');
  try {
    const config = await readFile(join(home, 'server.conf'), 'utf8');
    const token = config.match(/token: "([0-9a-f]+)"/)?.[1];
    const [name] = await readdir(join(home, 'ports'));
    if (!name || !token) return undefined;
    const ports: unknown = JSON.parse(await readFile(join(home, 'ports', name), 'utf8'));
    const url = (ports as { nats?: readonly string[] }).nats?.[0];
    return url === undefined ? undefined : { url, token };
  } catch {
    return undefined;
  }
}
