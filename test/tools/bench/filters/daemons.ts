import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SENDER } from '../../../environment/sender.ts';
import { familyCpuMs, untilListening } from './children.ts';

/** A filter that people run instead, as Debian packages it. */
export interface Filter {
  readonly name: string;
  scan(mail: Buffer): Promise<void>;
  /** Processor time of all its processes so far, in milliseconds. */
  cpuMs(): Promise<number>;
  stop(): Promise<void>;
}

type StartFilter = (
  dns: string,
  ports: readonly [number, number],
  to: string,
) => Promise<Filter | undefined>;

/** @returns undefined: it is not installed */
export const startRspamd: StartFilter = async (dns, [port, other], to) => {
  if (!existsSync('/usr/bin/rspamd')) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'bench-rspamd-'));
  const settings = {
    options: `dns { nameserver = ["${dns}"]; }`,
    'worker-normal': `bind_socket = "127.0.0.1:${port}"; count = 1;`,
    'worker-controller': `bind_socket = "127.0.0.1:${other}";`,
    'worker-proxy': 'enabled = false;',
    'worker-fuzzy': 'enabled = false;',
    logging: 'type = "console"; level = "error";',
  };
  for (const sub of ['override.d', 'local.d', 'db', 'run'])
    await mkdir(join(folder, sub), { recursive: true });
  for (const [file, text] of Object.entries(settings))
    await writeFile(join(folder, 'override.d', `${file}.inc`), `${text}\n`);
  const variables = { LOCAL_CONFDIR: folder, DBDIR: `${folder}/db`, RUNDIR: `${folder}/run` };
  const vars = Object.entries(variables).map(([name, value]) => `--var=${name}=${value}`);
  const child = spawn('/usr/bin/rspamd', ['-f', '-i', ...vars], { stdio: 'ignore' });
  const daemon = processOf(child, folder);
  await listening(port, daemon);
  const headers = { ip: SENDER.ip, helo: SENDER.host, from: `orders@${SENDER.domain}`, rcpt: to };
  return {
    name: 'rspamd',
    scan: (mail) =>
      new Promise((resolve, reject) => {
        const sent = request({ port, method: 'POST', path: '/checkv2', headers }, (answer) => {
          answer.resume().once('end', () => resolve());
        });
        sent.once('error', reject).end(mail);
      }),
    ...daemon,
  };
};

/** @returns undefined: it is not installed */
export const startSpamd: StartFilter = async (dns, [port]) => {
  if (!existsSync('/usr/sbin/spamd')) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'bench-spamd-'));
  await cp('/etc/spamassassin', folder, { recursive: true });
  // It reads them as nobody.
  await chmod(folder, 0o755);
  const [host, dnsPort] = dns.split(':');
  const settings = ['dns_available yes', `dns_server [${host}]:${dnsPort}`, 'use_bayes 0'];
  await writeFile(join(folder, 'zz-bench.cf'), `${settings.join('\n')}\n`);
  const options = [`--siteconfigpath=${folder}`, `--helper-home-dir=${folder}`];
  const place = ['-i', '127.0.0.1', '-p', String(port), '--min-children=1', '--max-children=1'];
  // Without a log and the settings of users.
  const child = spawn('/usr/sbin/spamd', [...place, '-s', 'null', '-x', ...options], {
    stdio: 'ignore',
  });
  const daemon = processOf(child, folder);
  await listening(port, daemon);
  return {
    name: 'spamd',
    scan: (mail) =>
      new Promise((resolve, reject) => {
        const socket = connect(port, '127.0.0.1');
        socket.write(`CHECK SPAMC/1.5\r\nContent-length: ${mail.length}\r\n\r\n`);
        socket.end(mail);
        socket
          .resume()
          .once('error', reject)
          .once('close', () => resolve());
      }),
    ...daemon,
  };
};

async function listening(port: number, { stop }: Pick<Filter, 'stop'>): Promise<void> {
  try {
    await untilListening(port);
  } catch (error) {
    await stop();
    throw error;
  }
}

function processOf(child: ChildProcess, folder: string): Pick<Filter, 'cpuMs' | 'stop'> {
  const exited = new Promise((resolve) => child.once('exit', resolve));
  return {
    cpuMs: () => familyCpuMs(child.pid ?? 0),
    async stop() {
      child.kill('SIGTERM');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
