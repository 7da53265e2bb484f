/** Starts a real Postfix in a folder of its own, and sends emails with it. */

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { call } from './program.ts';
import type { Kind, Target } from './sender.ts';

/**
 * Returns settings that keep everything in the folder, use only loopback and no DNS, and retry every few
 * seconds.
 */
export const mainCf = (folder: string, { host, port }: Target, hostname: string) => `
compatibility_level = 3.6
queue_directory = ${folder}/queue
data_directory = ${folder}/data
maillog_file = ${folder}/log
maillog_file_prefixes = ${folder}
myhostname = ${hostname}
myorigin = ${hostname}
mydestination =
alias_maps =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
smtp_dns_support_level = disabled
relayhost = [${host}]:${port}
smtp_tls_security_level = encrypt
queue_run_delay = 2s
minimal_backoff_time = 2s
maximal_backoff_time = 4s
transport_retry_time = 2s
smtp_destination_concurrency_failed_cohort_limit = 1000
`;

/** The columns are: name, type, private, unprivileged, chroot, wake-up in seconds, processes, program. */
const MASTER_CF = `
pickup   unix n - n 1 1 pickup
cleanup  unix n - n - 0 cleanup
qmgr     unix n - n 2 1 qmgr
tlsmgr   unix - - n 1000? 1 tlsmgr
rewrite  unix - - n - - trivial-rewrite
bounce   unix - - n - 0 bounce
defer    unix - - n - 0 bounce
trace    unix - - n - 0 bounce
verify   unix - - n - 1 verify
flush    unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
smtp     unix - - n - - smtp
relay    unix - - n - - smtp
showq    unix n - n - - showq
error    unix - - n - - error
retry    unix - - n - - error
discard  unix - - n - - discard
scache   unix - - n - 1 scache
anvil    unix - - n - 1 anvil
postlog  unix-dgram n - n - 1 postlogd
`;

/**
 * Starts Postfix in a folder of its own.
 * @param services additional lines of master.cf
 * @returns where its settings are
 */
export async function startPostfix(folder: string, settings: string, services = '') {
  const etc = join(folder, 'etc');
  await mkdir(etc);
  await mkdir(join(folder, 'queue'));
  await writeFile(join(etc, 'main.cf'), settings);
  await writeFile(join(etc, 'master.cf'), MASTER_CF + services);
  await mkdir(join(folder, 'data'));
  await call('chown', ['postfix', join(folder, 'data')]);
  await call('postfix', ['-c', etc, 'start']);
  return etc;
}

export const postfix: Kind = {
  name: 'Postfix',
  packages: ['postfix'],
  async start(folder, target, hostname) {
    const etc = await startPostfix(folder, mainCf(folder, target, hostname));
    return {
      send: async ({ from, to, raw }) =>
        void (await call('sendmail', ['-C', etc, '-i', '-f', from, to], { input: raw })),
      queued: async () =>
        (await call('postqueue', ['-c', etc, '-j'])).split('\n').filter(Boolean).length,
      lastWords: () => readFile(join(folder, 'log'), 'utf8'),
      stop: async () => void (await call('postfix', ['-c', etc, 'stop'])),
    };
  },
};
