import {
  ADDRESS,
  MAIL_DOMAIN,
  mailWorld,
  passing,
  refused,
} from '../../../test/support/mail-world.ts';
import { selfSigned } from '../../adapters/smtp/certificate.ts';
import { startSmtp } from '../../adapters/smtp/server.ts';
import type { Receiver } from '../../ports/mail.ts';
import { createLogger } from '../../telemetry.ts';

const KIB = 1024;

export { ADDRESS };

/** A test's whole life in memory: what its mails left behind can be looked at. */
async function newLife() {
  const world = await mailWorld({
    settings: { maxMessageBytes: 64 * KIB },
    mailMemoryBytes: 8 * KIB * KIB,
  });
  await world.create();
  let mails = 0;
  // Most are refused, so that the test stays open for others.
  world.inspection.gate = async () => {
    mails += 1;
    if (mails % 40 === 0) return passing;
    return mails % 3 === 0 ? { ...refused, resolverDown: true } : refused;
  };
  return world;
}

/** A server that listens, with a fresh test behind it whenever one is asked for. */
export async function startFuzzServer() {
  let life = await newLife();
  const pair = await selfSigned(MAIL_DOMAIN, Date.now());
  const receiver: Receiver = { accept: (envelope) => life.receiver.accept(envelope) };
  const server = await startSmtp(
    { receiver, clock: Date.now, logger: createLogger('silent') },
    {
      host: '127.0.0.1',
      port: 0,
      hostname: MAIL_DOMAIN,
      certificate: pair.cert,
      privateKey: pair.key,
      maxMessageBytes: 64 * KIB,
      maxClients: 1000,
      maxClientsPerIp: 1000,
      xclientFrom: ['127.0.0.0/8'],
      limits: { sweepMs: 50 },
    },
  );
  return {
    port: server.port,
    life: () => life,
    async renew() {
      life = await newLife();
    },
    stop: () => server.stop(),
  };
}

export type FuzzServer = Awaited<ReturnType<typeof startFuzzServer>>;
