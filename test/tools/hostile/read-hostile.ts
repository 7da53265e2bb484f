import { once } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import { newNameCounts } from '../../../src/adapters/dns/new-names.ts';
import { createMailWorkers } from '../../../src/adapters/mail-workers/workers.ts';
import type { AnalyzeMail } from '../../../src/ports/mail.ts';
import { ARRIVAL, about } from '../../support/mail/inspection-environment.ts';
import { aBlock } from '../../support/mail/mail-environment.ts';

export interface HostileReading {
  /** The JSON of the report; null: it was lost with its worker. */
  readonly report: string | null;
  readonly milliseconds: number;
  /** Longest time the main thread did not answer, in milliseconds: on a busy machine, the machine's. */
  readonly pauseMs: number;
  /** Processor time that the main thread spends at one go, in milliseconds. */
  readonly mainMs: number;
}

/** Workers as the service has them, and a DNS server that knows nothing. */
export async function startHostileReader(options: { readonly stuckMs?: number } = {}) {
  const dns = new Worker(new URL('./dns-thread.ts', import.meta.url));
  const [address] = (await once(dns, 'message')) as [string];
  const workers = createMailWorkers({
    workerUrl: new URL('../../../src/worker.ts', import.meta.url),
    setup: {
      dnsServers: [address],
      mailDomain: 'in.example.net',
      nat64Prefixes: [],
      webRiskApiKey: null,
      refusalBlocklists: ['psbl.surriel.com'],
      dnsbls: [],
    },
    newNames: newNameCounts(),
    threads: 1,
    clock: () => Date.parse(ARRIVAL),
    ...options,
  });
  return {
    read: (mail: Uint8Array, ownFrom = 0) => readHostile(workers.analyze, mail, ownFrom),
    async stop() {
      await workers.close();
      await dns.terminate();
    },
  };
}

/** Reads one mail as the service does. */
async function readHostile(
  analyze: AnalyzeMail,
  mail: Uint8Array,
  ownFrom: number,
): Promise<HostileReading> {
  // A buffer of its own: it is moved to the worker.
  const bytes = new Uint8Array(mail);
  const block = ownFrom > 0 ? aBlock({ bytes: ownFrom }) : undefined;
  const pause = monitorEventLoopDelay({ resolution: 1 });
  pause.enable();
  const used = process.threadCpuUsage();
  const begin = performance.now();
  const analysis = analyze({ ...about, digest: '', block, bytes });
  const { user, system } = process.threadCpuUsage(used);
  const analyzed = await analysis;
  const made = await analyzed.report({ receivedAt: ARRIVAL, expiresAt: ARRIVAL });
  const milliseconds = performance.now() - begin;
  analyzed.end();
  pause.disable();
  return {
    report: made === 'lost' ? null : new TextDecoder().decode(made.json),
    milliseconds,
    pauseMs: pause.max / 1e6,
    mainMs: (user + system) / 1000,
  };
}
