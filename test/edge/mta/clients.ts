import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { call } from './program.ts';
import type { Kind, Outgoing, Sender } from './sender.ts';

/** A client without a queue: it is done when the server has answered. */
const direct = (send: (mail: Outgoing) => Promise<unknown>): Sender => ({
  send: async (mail) => void (await send(mail)),
  queued: async () => 0,
  lastWords: async () => '',
  stop: async () => {},
});

const swaks: Kind = {
  name: 'swaks',
  packages: ['swaks', 'libnet-ssleay-perl'],
  async start(folder, { host, port }, hostname) {
    const file = join(folder, 'mail');
    const to = ['--server', host, '--port', String(port), '--ehlo', hostname, '--tls'];
    return direct(async (mail) => {
      await writeFile(file, mail.raw);
      return call('swaks', [...to, '--from', mail.from, '--to', mail.to, '--data', `@${file}`]);
    });
  },
};

const msmtp: Kind = {
  name: 'msmtp',
  packages: ['msmtp'],
  async start(_, { host, port }, hostname) {
    const server = [`--host=${host}`, `--port=${port}`, `--domain=${hostname}`];
    const tls = ['--tls=on', '--tls-starttls=on', '--tls-certcheck=off', '--auth=off'];
    return direct(({ from, to, raw }) =>
      call('msmtp', [...server, ...tls, `--from=${from}`, '--', to], { input: raw }),
    );
  },
};

const nodemailer: Kind = {
  name: 'nodemailer',
  packages: [],
  async start(_, { host, port }, hostname) {
    const tls = { rejectUnauthorized: false };
    const transport = createTransport({ host, port, name: hostname, requireTLS: true, tls });
    return direct(({ from, to, raw }) => transport.sendMail({ envelope: { from, to }, raw }));
  },
};

export const clients = [swaks, msmtp, nodemailer] as const;
