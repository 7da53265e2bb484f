import { startEnvironment } from '../../../environment/environment.ts';
import { startService } from '../../../environment/service-process.ts';
import { toHostAndPort } from '../../../environment/story.ts';
import { KIB, sizedMail } from '../sized-mail.ts';
import type { Place } from './history.ts';
import { atRate, findMaximum, type Summary, summarize } from './phase.ts';

/** Tests end while others begin, as in a service that has run for long. */
export const RETENTION_SECONDS = 60;
const SETTINGS = {
  RETENTION_SECONDS: `${RETENTION_SECONDS}`,
  RECEIVE_WINDOW_SECONDS: `${RETENTION_SECONDS}`,
  SMTP_MAX_CLIENTS: '200',
  SMTP_MAX_CLIENTS_PER_IP: '200',
};

/** A service whose maximum is known. */
export interface Loaded {
  readonly place: Place;
  /** Tests a second. */
  readonly maximum: number;
  /** Puts such a share of the maximum on it, for so many milliseconds. */
  at(share: number, forMs: number): Promise<Summary>;
}

/** Starts the service as a child with everything around it, and finds its maximum in so many milliseconds. */
export async function underLoad<T>(
  maximumMs: number,
  measure: (loaded: Loaded) => Promise<T>,
): Promise<T> {
  const { PATH, NATS_SERVER_BIN } = process.env;
  const environment = await startEnvironment({ PATH, NATS_SERVER_BIN, ...SETTINGS });
  try {
    const service = await startService({ env: environment.env, onLog: () => {} });
    try {
      const { http, smtp, metrics, pid } = service.listening();
      const place: Place = {
        http,
        metrics,
        pid,
        via: { ...toHostAndPort(smtp), client: environment.client },
        mail: await sizedMail(10 * KIB, 'anybody@in.example.net', environment.key),
        payerKey: environment.chain.payer.privateKey,
        network: environment.env.X402_NETWORK ?? '',
      };
      const maximum = await findMaximum(place, maximumMs);
      const at = async (share: number, forMs: number) =>
        summarize(await atRate(place, share * maximum, forMs));
      return await measure({ place, maximum, at });
    } finally {
      await service.stop();
    }
  } finally {
    await environment.stop();
  }
}
