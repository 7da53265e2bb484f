import { parseArgs } from 'node:util';
import { startCluster } from '../../../faults/files/nats-cluster.ts';
import { startNats } from '../../../support/log/nats-server.ts';
import { measureDeadlines, type Servers } from './deadlines.ts';
import { measureRequests } from './requests.ts';
import { measureStart } from './start.ts';

const USAGE = `npm run bench -- replicas [--tests N] [--deadlines N] [--live N]

  --tests N       tests of which the requests are counted, on 1, 3 and 10 replicas (300)
  --deadlines N   tests that end at one instant, on 1 and 3 replicas, one node and three (10000)
  --live N        live tests at a start (100000)`;

/** What replicas cost the log, all in this process. Resolves to the exit code. */
export async function benchReplicas(args: readonly string[]): Promise<number> {
  const sizes = readSizes(args);
  if (!sizes) {
    process.stderr.write(`${USAGE}\n`);
    return 2;
  }
  let least = 0;
  for (const replicas of [1, 3, 10]) {
    const { total, counts } = await onServer((url) => measureRequests(url, replicas, sizes.tests));
    least ||= total;
    const kinds = Object.entries(counts).map(([kind, n]) => `${kind} ${n.toFixed(2)}`);
    console.log(
      `${replicas} replica(s): ${total.toFixed(2)} requests a test, ${(total / least).toFixed(2)} of one replica's (${kinds.join(', ')})`,
    );
  }
  for (const [replicas, nodes, encrypted] of [
    [1, 1, false],
    [1, 1, true],
    [3, 1, true],
    [3, 3, true],
  ] as const) {
    const { recordedMs, erasedMs, appends, ownCpuMs, serverCpuMs } = await onServers(
      nodes,
      encrypted,
      (servers) => measureDeadlines(servers, replicas, sizes.deadlines),
    );
    console.log(
      `${replicas} replica(s), ${nodes} node(s), ${sizes.deadlines} deadlines at one instant, store ${encrypted ? '' : 'not '}encrypted: all recorded after ${seconds(recordedMs)} by ${appends} appends, all erased after ${seconds(erasedMs)}; processor time of the replicas ${seconds(ownCpuMs)}, of nats-server ${seconds(serverCpuMs)}`,
    );
  }
  const { reads, ms } = await onServer((url) => measureStart(url, sizes.live), {
    sync: '2m',
  });
  console.log(`a start with ${sizes.live} live tests: ${seconds(ms)}, ${reads} reads of buckets`);
  return 0;
}

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;

async function onServer<T>(
  work: (url: string) => Promise<T>,
  options: Parameters<typeof startNats>[0] = { sync: 'always' },
): Promise<T> {
  const server = await startNats(options);
  try {
    return await work(server.url);
  } finally {
    await server.end();
  }
}

async function onServers<T>(
  nodes: 1 | 3,
  encrypted: boolean,
  work: (servers: Servers) => Promise<T>,
): Promise<T> {
  const cluster = await startCluster(nodes, { sync: 'always', encrypted });
  try {
    return await work({ url: cluster.url, pids: cluster.nodes.map((node) => node.pid()) });
  } finally {
    await cluster.end();
  }
}

function readSizes(args: readonly string[]) {
  try {
    const text = (value: string) => ({ type: 'string', default: value }) as const;
    const options = { tests: text('300'), deadlines: text('10000'), live: text('100000') };
    const { values } = parseArgs({ args: [...args], options });
    if (Object.values(values).some((one) => !/^[1-9]\d{0,7}$/.test(one))) return undefined;
    const { tests, deadlines, live } = values;
    return { tests: Number(tests), deadlines: Number(deadlines), live: Number(live) };
  } catch {
    return undefined;
  }
}
