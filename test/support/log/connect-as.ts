/**
 * Connects to nats-server with the settings of a shell: the server, the user, and the files of its secrets.
 */

import { readFile } from 'node:fs/promises';
import { connectNats } from '../../../src/adapters/nats/connection.ts';

/** Connects with the settings of a shell: the server, the user, and the files of its secrets. */
export async function connectAs(settings: Readonly<Record<string, string>>) {
  const { NATS_URL: url = '', NATS_USER: user = '', NATS_REPLICAS = '1' } = settings;
  const read = async (name: string) => (await readFile(settings[name] ?? '', 'utf8')).trim();
  return connectNats({
    url,
    name: 'test',
    user,
    password: await read('NATS_PASSWORD_FILE'),
    tlsCa: await read('NATS_TLS_CA_FILE'),
    replicas: Number(NATS_REPLICAS),
  });
}
