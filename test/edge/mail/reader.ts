/**
 * Starts the real workers to read hostile emails, with or without hostile DNS, and measures time on
 * the main thread.
 */

import { fileURLToPath, pathToFileURL } from 'node:url';
import { newNameCounts } from '../../../src/adapters/dns/new-names.ts';
import { createNewResolver } from '../../../src/adapters/dns/resolver.ts';
import { createMailWorkers } from '../../../src/adapters/mail-workers/workers.ts';
import { programOf } from '../../environment/compile-cache.ts';
import { createAnalysis } from '../../support/mail/analysis.ts';
import { ARRIVAL, about } from '../../support/mail/inspection-environment.ts';
import { aBlock } from '../../support/mail/mail-environment.ts';
import { startDns } from '../crowd/dns.ts';
import type { HostileAnswers } from './zones.ts';

const worker = fileURLToPath(new URL('../../../src/worker.ts', import.meta.url));

/** Starts workers as the service has them, and a DNS server with no records. */
export async function startWorkerReader() {
  const dns = await startDns();
  const workers = createMailWorkers({
    workerUrl: pathToFileURL(programOf(worker)),
    setup: {
      dnsServers: [dns.address],
      dnsValidates: false,
      mailDomain: 'in.example.net',
      nat64Prefixes: [],
      webRiskApiKey: null,
      visitsMailHosts: false,
      refusalBlocklists: ['psbl.surriel.com'],
      dnsbls: [],
    },
    newNames: newNameCounts(),
    threads: 1,
    clock: () => Date.parse(ARRIVAL),
  });
  return {
    /** Returns the JSON of the report, or null if it was lost with its worker. */
    async read(mail: Uint8Array, ownFrom = 0): Promise<string | null> {
      // A separate buffer, because it is moved to the worker.
      const bytes = new Uint8Array(mail);
      const block = ownFrom > 0 ? aBlock({ bytes: ownFrom }) : undefined;
      const analyzed = await workers.analyze({ ...about, digest: '', block, bytes });
      const made = await analyzed.report({ receivedAt: ARRIVAL, expiresAt: ARRIVAL });
      analyzed.end();
      return made === 'lost' ? null : new TextDecoder().decode(made.json);
    },
    async stop() {
      await workers.close();
      await dns.stop();
    },
  };
}

/** Analyzes emails whose sender's DNS is hostile, over the wire, as the service does. */
export async function startAnswersReader() {
  const dns = await startDns();
  let policy = '';
  const analysis = createAnalysis(
    createNewResolver({ servers: [dns.address], timeoutMs: 10_000, tries: 1 }),
    async () => ({
      status: 'fetched',
      httpStatus: 200,
      contentType: 'text/plain',
      body: Buffer.from(policy),
    }),
  );
  return {
    async read(answers: HostileAnswers) {
      await dns.call('setZone', answers.zone);
      policy = answers.policy ?? '';
      return analysis.report(answers.mail);
    },
    stop: () => dns.stop(),
  };
}

/**
 * Pause between two checks of this thread, in milliseconds. Checking without a pause would be all that it
 * does.
 */
const LOOK_MS = 5;

/**
 * Returns the result of `work`, how much processor time this process spent on it with all its threads, and
 * the longest time that this thread worked without a pause. In milliseconds of processor time, so that other
 * programs do not count.
 */
export async function watchMainThread<T>(work: () => Promise<T>) {
  let mainMs = 0;
  let before = process.threadCpuUsage();
  const look = () => {
    const now = process.threadCpuUsage();
    mainMs = Math.max(mainMs, (now.user + now.system - before.user - before.system) / 1000);
    before = now;
  };
  const looking = setInterval(look, LOOK_MS);
  const begin = process.cpuUsage();
  try {
    const result = await work();
    const { user, system } = process.cpuUsage(begin);
    look();
    return { result, ms: (user + system) / 1000, mainMs };
  } finally {
    clearInterval(looking);
  }
}
