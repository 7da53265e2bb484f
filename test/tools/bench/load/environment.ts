import { randomBytes } from 'node:crypto';
import { FIXED } from '../../../../src/config/fixed.ts';
import { startEnvironment } from '../../../environment/environment.ts';
import { newSenderKey, senderZone } from '../../../environment/sender.ts';
import { startService } from '../../../environment/service-process.ts';
import { toHostAndPort } from '../../../environment/story.ts';
import { forkDns } from '../fork-dns.ts';
import { asContent } from '../mails/transaction.ts';
import { KIB, sizedMail } from '../sized-mail.ts';
import type { Place } from './history.ts';
import { findMaximum } from './maximum.ts';
import { atRate } from './phase.ts';
import { type Summary, summarize } from './summary.ts';
import { type Counts, countWarnings } from './warnings.ts';

/** Tests end while others begin, as in a service that has run for long. */
export const RETENTION_SECONDS = 60;
const durations = {
  ...FIXED.durations,
  retentionSeconds: RETENTION_SECONDS,
  receiveWindowSeconds: RETENTION_SECONDS,
};

/** A service whose maximum is known. */
export interface Loaded {
  readonly place: Place;
  /** Tests a second. */
  readonly maximum: number;
  /** Puts such a share of the maximum on it, for so many milliseconds. `warnings`: of the service's log meanwhile. */
  at(share: number, forMs: number): Promise<Summary & { readonly warnings: Counts }>;
}

/** Starts the service as a child with everything around it, and finds its maximum. */
export async function underLoad<T>(measure: (loaded: Loaded) => Promise<T>): Promise<T> {
  const steps: (() => unknown)[] = [];
  try {
    const key = newSenderKey();
    const dns = await forkDns(senderZone(key));
    steps.push(dns.stop);
    const environment = await startEnvironment({
      ...{ PATH: process.env.PATH, NATS_SERVER_BIN: process.env.NATS_SERVER_BIN },
      // As in production: in a store that is not encrypted, each erasure rewrites megabytes.
      NATS_STORE_KEY: randomBytes(32).toString('hex'),
      DNS_SERVERS: dns.address,
      // All mails come from one client: its share of the connections is not what is measured.
      SMTP_MAX_CLIENTS: '200',
    });
    steps.push(environment.stop);
    const warnings = countWarnings();
    const service = await startService({
      env: environment.env,
      fixed: { durations },
      onLog: warnings.read,
    });
    steps.push(service.stop);
    const { http, smtp, metrics, pid } = service.listening();
    const place: Place = {
      http,
      metrics,
      pid,
      via: { ...toHostAndPort(smtp), client: environment.client },
      content: asContent(await sizedMail(10 * KIB, 'anybody@in.example.net', key)),
      payerKey: environment.chain.payer.privateKey,
      network: environment.env.X402_NETWORK ?? '',
    };
    const maximum = await findMaximum(place, RETENTION_SECONDS * 1000);
    const at = async (share: number, forMs: number) => ({
      ...summarize(await atRate(place, share * maximum, forMs)),
      warnings: warnings.take(),
    });
    return await measure({ place, maximum, at });
  } finally {
    for (const step of steps.reverse()) await step();
  }
}
