import { stopSignal } from '../../environment/stop-signal.ts';
import { type Cluster, startCluster } from './start.ts';

const print = (text: string) => void process.stderr.write(`${text}\n`);

/**
 * Runs three nats-servers and three replicas on loopback, until Ctrl-C. One JSON line on stdout says where
 * everything is. Resolves to the exit code.
 */
export async function runCluster(args: readonly string[]): Promise<number> {
  if (args.length > 0) {
    print('npm run lab -- cluster\n\n  DATA_DIR in the environment keeps the stores.');
    return 2;
  }
  print('Starting three nats-servers, a DNS server, a local chain and three replicas on loopback.');
  // From here on, so that a signal before everything runs leaves nothing behind either.
  const stopped = stopSignal();
  const cluster = await startCluster({ env: process.env, print });
  try {
    console.log(JSON.stringify(describeCluster(cluster)));
    print(
      'Running. If you kill any process of the line above, it is started again. Stop with Ctrl-C.',
    );
    await stopped;
    return 0;
  } finally {
    await cluster.stop();
  }
}

/** Describes the cluster to someone who wants to use it, pay, watch it or kill parts of it. */
function describeCluster({
  operator,
  service,
  nodes,
  replicas,
  environment: { env, chain },
}: Cluster) {
  return {
    /** Settings for an operator's shell, to run `npm run operate -- replay` or `npm run operate -- streams`. */
    operator,
    service,
    nodes: nodes.map(({ name, url, monitoring, server }) => ({
      name,
      url,
      monitoring,
      pid: server.pid(),
    })),
    replicas: replicas.map(({ id, service }) => {
      const { http, smtp, metrics, pid } = service.listening();
      const [host, port] = smtp.split(/:(?=\d+$)/);
      return { id, http, smtp: { host, port: Number(port) }, metrics, pid };
    }),
    mail_domain: env.MAIL_DOMAIN,
    dns: env.DNS_SERVERS,
    rpc: env.X402_RPC_URL,
    payer_private_key: chain.payer.privateKey,
    pay_to: env.X402_PAY_TO,
    asset: chain.asset,
  };
}
