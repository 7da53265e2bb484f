import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LogConnection } from '../../../src/adapters/nats/connection.ts';
import { findNatsServer } from '../../../src/setup/nats-server.mjs';
import { sendMailPatiently } from '../../environment/mail.ts';
import { connectAs } from '../../support/log/connect-as.ts';
import type { CreatedTest } from '../../support/process/stack.ts';
import { until } from '../../support/process/until.ts';

interface Described {
  readonly operator: Readonly<Record<string, string>>;
  readonly service: Readonly<Record<string, string>>;
  readonly nodes: readonly { readonly name: string; readonly pid: number }[];
  readonly replicas: readonly {
    readonly http: string;
    readonly smtp: { readonly host: string; readonly port: number };
    readonly pid: number;
  }[];
}

/** SPF passes for it, which is enough; the zone's key stays with the cluster. */
const client = { ip: '192.0.2.25', host: 'mail.sender.example' };

let command: ChildProcess;
let cluster: Described;
let connection: LogConnection;
let said = '';
beforeAll(async () => {
  command = spawn(process.execPath, ['test/tools/cli.ts', 'cluster'], {
    env: { PATH: process.env.PATH, NATS_SERVER_BIN: findNatsServer().bin },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  command.stderr?.on('data', (chunk: Buffer) => {
    said += chunk;
  });
  const [line] = await once(createInterface({ input: command.stdout as never }), 'line');
  cluster = JSON.parse(String(line)) as Described;
  connection = await connectAs(cluster.operator);
});
afterAll(async () => {
  await connection?.close();
  if (command.exitCode === null) command.kill('SIGKILL');
});

const http = (replica: number) => cluster.replicas[replica % 3]?.http;

async function create(replica: number): Promise<CreatedTest | undefined> {
  const response = await fetch(`${http(replica)}/v1/tests`, { method: 'POST' });
  return response.status === 201 ? ((await response.json()) as CreatedTest) : undefined;
}

async function statusAt(replica: number, { test_id }: CreatedTest) {
  const response = await fetch(`${http(replica)}/v1/tests/${test_id}/status`);
  return ((await response.json()) as { status?: string }).status;
}

function send(replica: number, { address }: CreatedTest): Promise<string> {
  const { host = '', port = 0 } = cluster.replicas[replica % 3]?.smtp ?? {};
  const mail = { from: 'orders@sender.example', to: address, subject: 'Hello', text: 'Hello.' };
  return sendMailPatiently(mail, { host, port, client });
}

test('each replica sees that its nodes sync every write', () => {
  expect(said).toContain('three nats-servers');
  expect(said).not.toContain('syncs each write');
  expect(said).not.toContain('power cut');
});

test('created at one replica, sent to another, read at the third; a leader is killed', async () => {
  const first = await until(() => create(0));
  expect(await statusAt(1, first)).toBe('waiting');
  expect(await send(1, first)).toMatch(/^250/);
  expect(await until(async () => (await statusAt(2, first)) === 'ready')).toBe(true);

  const acknowledged: CreatedTest[] = [first];
  for (let index = 0; index < 30; index++) {
    const created = await create(index);
    if (created) acknowledged.push(created);
  }
  const { cluster: group } = await connection.jsm.streams.info('TESTS');
  const leader = cluster.nodes.find(({ name }) => name === group?.leader);
  process.kill(leader?.pid ?? 0, 'SIGKILL');

  const after = await until(() => create(0));
  for (let index = 0; index < 30; index++) {
    const created = await create(index);
    if (created) acknowledged.push(created);
  }
  expect(await until(() => send(1, after))).toMatch(/^250/);
  for (const [index, created] of acknowledged.entries())
    expect(
      await until(async () => {
        const status = await statusAt(index, created);
        return status === 'waiting' || status === 'ready';
      }),
    ).toBe(true);

  // Every node holds everything again, the killed one too.
  await until(async () => {
    const { cluster: now } = await connection.jsm.streams.info('TESTS');
    return now?.replicas?.every(({ current, offline }) => current && !offline);
  });
});

test('a replica that is killed comes back at its address', async () => {
  const created = await until(() => create(0));
  process.kill(cluster.replicas[0]?.pid ?? 0, 'SIGKILL');
  await until(async () => {
    const response = await fetch(`${http(0)}/readyz`);
    return response.ok;
  });
  expect(await statusAt(0, created)).toBe('waiting');
});

test('Ctrl-C ends everything', async () => {
  command.kill('SIGINT');
  await once(command, 'exit');
  expect(command.exitCode).toBe(0);
  const gone = (pid: number) => {
    try {
      process.kill(pid, 0);
      return false;
    } catch {
      return true;
    }
  };
  for (const { pid } of [...cluster.nodes, ...cluster.replicas]) expect(gone(pid)).toBe(true);
});
