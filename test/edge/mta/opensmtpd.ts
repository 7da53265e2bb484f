import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { until } from '../../support/process/until.ts';
import { call } from './program.ts';
import type { Kind, Target } from './sender.ts';

/** Its queue is where the package compiled it to be, /var/spool/smtpd. */
const config = ({ host, port }: Target, hostname: string) => `
listen on socket
action "service" relay host smtp+tls://${host}:${port} tls no-verify helo ${hostname}
match from local for any action "service"
`;

export const opensmtpd: Kind = {
  name: 'OpenSMTPD',
  packages: ['opensmtpd'],
  async start(folder, target, hostname) {
    const file = join(folder, 'smtpd.conf');
    await writeFile(file, config(target, hostname));
    const server = spawn('smtpd', ['-d', '-f', file], { stdio: ['ignore', 'pipe', 'pipe'] });
    const log: string[] = [];
    for (const stream of [server.stdout, server.stderr])
      createInterface({ input: stream }).on('line', (line) => log.push(line));
    await until(async () => (await call('smtpctl', ['show', 'status'])) !== '', 'smtpd').catch(
      () => {
        server.kill('SIGTERM');
        throw new Error(`smtpd does not start:\n${log.join('\n')}`);
      },
    );
    return {
      send: async ({ from, to, raw }) =>
        void (await call('sendmail', ['-i', '-f', from, to], { input: raw })),
      queued: async () =>
        (await call('smtpctl', ['show', 'queue'])).split('\n').filter(Boolean).length,
      lastWords: async () => log.join('\n'),
      async stop() {
        if (server.exitCode !== null || server.signalCode !== null) return;
        server.kill('SIGTERM');
        await once(server, 'exit');
      },
    };
  },
};
