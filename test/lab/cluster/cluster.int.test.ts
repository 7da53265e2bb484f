import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { findNatsServer } from '../../../src/setup/nats-server.mjs';
import { PROGRAM_ENV } from '../../environment/compile-cache.ts';

interface Described {
  readonly nodes: readonly { readonly pid: number }[];
  readonly replicas: readonly { readonly http: string; readonly pid: number }[];
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

// What it withstands is shown by the rows of test/faults.
test('each replica is ready and sees that its nodes sync every write; Ctrl-C ends everything', async () => {
  const command = spawn(process.execPath, ['test/lab/cli.ts', 'cluster'], {
    env: { ...PROGRAM_ENV, NATS_SERVER_BIN: findNatsServer().bin },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  try {
    let said = '';
    command.stderr.on('data', (chunk: Buffer) => {
      said += chunk;
    });
    const [line] = await once(createInterface({ input: command.stdout }), 'line');
    const { nodes, replicas } = JSON.parse(String(line)) as Described;
    expect([nodes.length, replicas.length]).toEqual([3, 3]);
    for (const { http } of replicas) expect((await fetch(`${http}/readyz`)).status).toBe(200);
    expect(said).toContain('three nats-servers');
    expect(said).not.toMatch(/syncs each write|power cut/);

    command.kill('SIGINT');
    expect(await once(command, 'exit')).toEqual([0, null]);
    expect([...nodes, ...replicas].filter(({ pid }) => isAlive(pid))).toEqual([]);
  } finally {
    command.kill('SIGKILL');
  }
});
