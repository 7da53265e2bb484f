/** Sends emails with nodemailer, a client without a queue. */

import { createTransport } from 'nodemailer';
import type { Kind } from './sender.ts';

/** A client without a queue, which is finished when the server has replied. */
export const nodemailer: Kind = {
  name: 'nodemailer',
  packages: [],
  async start(_, { host, port }, hostname) {
    const tls = { rejectUnauthorized: false };
    const transport = createTransport({ host, port, name: hostname, requireTLS: true, tls });
    return {
      send: async ({ from, to, raw }) =>
        void (await transport.sendMail({ envelope: { from, to }, raw })),
      queued: async () => 0,
      lastWords: async () => '',
      stop: async () => {},
    };
  },
};
