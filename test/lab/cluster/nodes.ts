/**
 * Prepares three nats-servers on loopback as `nats.conf` configures them, with their secrets and the settings
 * of their clients.
 */

import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePorts } from '../../environment/free-ports.ts';
import { type NatsProcess, natsProcess } from '../../environment/server-process.ts';

const NODES = 3;

const template = new URL('../../../nats.conf', import.meta.url);
const script = (name: string) =>
  fileURLToPath(new URL(`../../../docs/deploy/${name}`, import.meta.url));
const makeSecrets = script('make-secrets.sh');
const nodeScript = script('nats-node.sh');

/** A nats-server of the cluster. */
export interface Node {
  readonly name: string;
  /** URL of the server, without credentials. */
  readonly url: string;
  readonly monitoring: string;
  /** The directory of its store. */
  readonly store: string;
  readonly server: NatsProcess;
}

interface Options {
  /** Contains the stores, and the secrets, because an encrypted store cannot be read without its key. */
  readonly home: string;
  readonly onEnd: (node: Node) => void;
}

/** Prepares three nodes according to `nats.conf`, on loopback and free ports. They are not started. */
export async function prepareNodes({ home, onEnd }: Options) {
  const secrets = join(home, 'secrets');
  await promisify(execFile)('/bin/sh', [makeSecrets, secrets]);
  const config = await readFile(template, 'utf8');
  const ports = await freePorts(3 * NODES);
  const port = (index: number) => ports[index] ?? 0;
  const routes = Array.from({ length: NODES }, (_, index) => `127.0.0.1:${port(3 * index + 2)}`);

  const nodes: Node[] = [];
  for (let index = 0; index < NODES; index++) {
    const name = `nats-${index + 1}`;
    const folder = join(home, name);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const configFile = join(folder, 'server.conf');
    const store = join(folder, 'store');
    const own = { client: port(3 * index), http: port(3 * index + 1), route: port(3 * index + 2) };
    await writeFile(configFile, onLoopback(config, own), { mode: 0o600 });
    const server = natsProcess({
      configFile,
      pidFile: join(folder, 'pid'),
      through: ['/bin/sh', nodeScript, name, store, secrets, ...routes, '--'],
      onEnd: () => onEnd(node),
    });
    const address = (one: number) => `127.0.0.1:${one}`;
    const node: Node = {
      name,
      url: `tls://${address(own.client)}`,
      monitoring: `http://${address(own.http)}`,
      store,
      server,
    };
    nodes.push(node);
  }
  const url = nodes.map((node) => node.url).join(',');
  const as = (user: string, password: string) => ({
    NATS_URL: url,
    NATS_USER: user,
    NATS_PASSWORD_FILE: join(secrets, password),
    NATS_TLS_CA_FILE: join(secrets, 'nats_ca.pem'),
    NATS_REPLICAS: `${NODES}`,
  });
  return {
    nodes,
    /** The output of `make-secrets.sh`. */
    secrets,
    /** The settings of a client, whose permissions are in `nats.conf`. */
    service: as('service', 'nats_password'),
    operator: as('operator', 'nats_operator_password'),
  };
}

/** @throws if the file no longer has the lines that must be changed */
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
