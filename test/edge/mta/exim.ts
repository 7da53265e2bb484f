/** Sends emails with a real Exim. */

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { call } from './program.ts';
import type { Kind, Target } from './sender.ts';

const config = (folder: string, { host, port }: Target, hostname: string) => `
spool_directory = ${folder}/spool
log_file_path = ${folder}/log-%s
pid_file_path = ${folder}/pid
primary_hostname = ${hostname}
local_interfaces = <; 127.0.0.1
disable_ipv6
host_lookup =
keep_environment =
never_users =
log_selector = +smtp_confirmation
begin routers
all:
  driver = manualroute
  transport = to_service
  route_list = * ${host}::${port} byname
  self = send
begin transports
to_service:
  driver = smtp
  helo_data = ${hostname}
  allow_localhost
  hosts_require_tls = *
begin retry
* * F,1h,5s
`;

export const exim: Kind = {
  name: 'Exim',
  packages: ['exim4-daemon-light'],
  async start(folder, target, hostname) {
    const file = join(folder, 'exim.conf');
    await mkdir(join(folder, 'spool'));
    await writeFile(file, config(folder, target, hostname));
    await call('chown', ['-R', 'Debian-exim:Debian-exim', join(folder, 'spool'), folder]);
    // Exim only trusts a configuration that root owns.
    await call('chown', ['root:root', file]);
    const run = (args: readonly string[], input?: string) =>
      call('exim4', ['-C', file, ...args], input === undefined ? {} : { input });
    return {
      async send({ from, to, raw }) {
        // First into the queue, then a run of the queue, like a smarthost's client.
        await run(['-odq', '-i', '-f', from, to], raw);
        await run(['-q']);
      },
      queued: async () => Number(await run(['-bpc'])),
      lastWords: () => readFile(join(folder, 'log-main'), 'utf8'),
      stop: async () => {},
    };
  },
};
