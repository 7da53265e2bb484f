import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePorts } from '../../environment/free-ports.ts';
import { type NatsProcess, natsProcess } from '../../environment/server-process.ts';

const NODES = 3;

/** How many secrets there are, and how long each is, in bytes. */
const SECRET_BYTES = 24;

const template = new URL('../../../nats.conf', import.meta.url);

/** One nats-server of the cluster. */
export interface Node {
  readonly name: string;
  /** Without credentials. */
  readonly url: string;
  readonly monitoring: string;
  readonly server: NatsProcess;
}

interface Options {
  readonly bin: string;
  /** Holds the stores, and the secrets: an encrypted store cannot be read without its key. */
  readonly home: string;
  readonly onEnd: (node: Node) => void;
}

/**
 * Three nodes as `nats.conf` has them, moved to loopback and to ports that are free. Not started.
 */
export async function prepareNodes({ bin, home, onEnd }: Options) {
  const secrets = await secretsIn(home);
  const config = await readFile(template, 'utf8');
  const ports = await freePorts(3 * NODES);
  const port = (index: number) => ports[index] ?? 0;
  const routes = Array.from(
    { length: NODES },
    (_, index) => `"nats://cluster:${secrets.cluster}@127.0.0.1:${port(3 * index + 2)}"`,
  );

  const nodes: Node[] = [];
  for (let index = 0; index < NODES; index++) {
    const name = `nats-${index + 1}`;
    const folder = join(home, name);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const configFile = join(folder, 'server.conf');
    const own = { client: port(3 * index), http: port(3 * index + 1), route: port(3 * index + 2) };
    await writeFile(configFile, onLoopback(config, own), { mode: 0o600 });
    const server = natsProcess({
      bin,
      configFile,
      pidFile: join(folder, 'pid'),
      env: {
        NATS_NAME: `"${name}"`,
        NATS_ROUTES: `[ ${routes.join(', ')} ]`,
        NATS_STORE_DIR: JSON.stringify(join(folder, 'store')),
        NATS_JS_KEY: `"${secrets.key}"`,
        NATS_PASSWORD: `"${secrets.service}"`,
        NATS_CLUSTER_PASSWORD: `"${secrets.cluster}"`,
      },
      onEnd: () => onEnd(node),
    });
    const address = (one: number) => `127.0.0.1:${one}`;
    const node: Node = {
      name,
      url: `nats://${address(own.client)}`,
      monitoring: `http://${address(own.http)}`,
      server,
    };
    nodes.push(node);
  }
  return { nodes, user: 'service', passwordFile: secrets.passwordFile, password: secrets.service };
}

/** Made once and kept, for the owner's eyes. */
async function secretsIn(home: string) {
  const folder = join(home, 'secrets');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const secret = async (name: string) => {
    const file = join(folder, name);
    const fresh = randomBytes(SECRET_BYTES).toString('hex');
    await writeFile(file, fresh, { mode: 0o600, flag: 'wx' }).catch(() => undefined);
    return readFile(file, 'utf8');
  };
  return {
    service: await secret('nats_password'),
    cluster: await secret('nats_cluster_password'),
    key: await secret('nats_js_key'),
    passwordFile: join(folder, 'nats_password'),
  };
}

/** @throws when the file no longer has the lines that are to be moved */
function onLoopback(
  config: string,
  { client, http, route }: { client: number; http: number; route: number },
): string {
  const moves = [
    ['listen: "0.0.0.0:4222"', `listen: "127.0.0.1:${client}"`],
    ['http: "127.0.0.1:8222"', `http: "127.0.0.1:${http}"`],
    ['listen: "0.0.0.0:6222"', `listen: "127.0.0.1:${route}"`],
  ] as const;
  return moves.reduce((text, [from, to]) => {
    if (text.split(from).length !== 2) throw new Error(`nats.conf no longer has one \`${from}\`.`);
    return text.replace(from, to);
  }, config);
}
