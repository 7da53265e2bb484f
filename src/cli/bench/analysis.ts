import { performance } from 'node:perf_hooks';
import { createTransport } from 'nodemailer';
import { createInspect } from '../../actors/gather/inspect.ts';
import { createNewResolver } from '../../adapters/dns/resolver.ts';
import { evaluateSpf } from '../../adapters/mailauth/spf.ts';
import { createReader } from '../../adapters/worker-pool/reader.ts';
import { makeReport } from '../../analysis/report.ts';
import type { Inspect } from '../../ports/mail.ts';
import { type DnsServer, startDnsServer } from '../demo/dns-server.ts';
import type { Zone } from '../demo/dns-zone.ts';
import { demoMail } from '../demo/mail.ts';
import { newSenderKey, SENDER, type SenderKey, senderZone } from '../demo/sender.ts';

const USAGE = 'npm run bench -- analysis';

/** What a resolver takes for a name that it has to look for, in milliseconds. */
const ANSWER_MS = 50;

/** So slow that the time of an analysis counts the answers that waited for one another. */
const SLOW_MS = 1000;

const WARM_UPS = 5;
const RUNS = 40;

const TEST = { testId: 'benchmark234', mailDomain: 'in.example.net' };

const { domain, host, ip } = SENDER;

/** Records that make one answer wait for another. */
const worlds: Readonly<Record<string, Zone>> = {
  'all at once': {},
  'a PTR name besides HELO': {
    [`${ip.split('.').reverse().join('.')}.in-addr.arpa`]: { PTR: ['other.sender.example'] },
    'other.sender.example': { A: [ip] },
  },
  'SPF two includes deep': {
    [domain]: { A: ['192.0.2.80'], MX: [`10 ${host}`], TXT: ['v=spf1 include:a.example -all'] },
    'a.example': { TXT: ['v=spf1 include:b.example -all'] },
    'b.example': { TXT: [`v=spf1 ip4:${ip} -all`] },
  },
  'reports to another domain': {
    [`_dmarc.${domain}`]: { TXT: ['v=DMARC1; p=none; rua=mailto:dmarc@reports.example'] },
    'reports.example': { MX: ['10 mx.reports.example'] },
  },
};

/**
 * How long an analysis takes when DNS needs its time: the longest chain of questions that wait for
 * one another, and what comes on top. Resolves to the exit code.
 */
export async function benchAnalysis(args: readonly string[]): Promise<number> {
  if (args.length > 0) {
    console.error(USAGE);
    return 2;
  }
  const key = newSenderKey();
  const mail = await compose(key);
  const dns = await startDnsServer({ zone: senderZone(key) });
  const reader = createReader({
    workerUrl: new URL('../../worker.ts', import.meta.url),
    threads: 1,
  });
  const inspect = createInspect({
    newResolver: createNewResolver({ servers: [dns.address], timeoutMs: 10 * SLOW_MS }),
    evaluateSpf,
    readInWorker: reader.read,
    checkCertificate: reader.checkCertificate,
    // The sender publishes nothing that would be fetched.
    fetch: async () => ({ status: 'failed', fault: 'ours', reason: 'not in this measurement' }),
    webRisk: { configured: false, look: async () => ({}) },
    clock: Date.now,
    refusalBlocklists: ['psbl.surriel.com'],
  });
  try {
    for (const [name, changes] of Object.entries(worlds)) {
      dns.setZone({ ...senderZone(key), ...changes });
      console.log(line(name, await measure(dns, () => analyze(inspect, mail))));
    }
    return 0;
  } finally {
    await reader.close();
    await dns.stop();
  }
}

async function compose(key: SenderKey): Promise<Buffer> {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  const to = `${TEST.testId}@${TEST.mailDomain}`;
  const { message } = await transport.sendMail(demoMail(to, key));
  return message as Buffer;
}

/** One mail from the envelope to the report, in milliseconds. */
async function analyze(inspect: Inspect, mail: Buffer): Promise<number> {
  const tls = { status: 'tls', version: 'TLSv1.3', cipher: null } as const;
  const begin = performance.now();
  const inspection = inspect({
    ...TEST,
    client: { ip, helo: host, source: 'smtp', tls },
    from: { localPart: 'orders', domain, smtputf8: false },
  });
  // Moved to a worker, the bytes are gone.
  await inspection.gate(new Uint8Array(mail));
  const at = new Date().toISOString();
  const facts = await inspection.facts({ receivedAt: at, expiresAt: at });
  if (facts === 'lost') throw new Error('the worker was lost');
  makeReport(facts, at);
  const took = performance.now() - begin;
  inspection.end();
  return took;
}

interface Measured {
  readonly chain: number;
  readonly took: readonly number[];
}

async function measure(dns: DnsServer, run: () => Promise<number>): Promise<Measured> {
  dns.setDelay(0);
  for (let i = 0; i < WARM_UPS; i += 1) await run();
  dns.setDelay(SLOW_MS);
  const chain = Math.floor((await run()) / SLOW_MS);
  dns.setDelay(ANSWER_MS);
  const took: number[] = [];
  for (let i = 0; i < RUNS; i += 1) took.push(await run());
  return { chain, took: took.sort((a, b) => a - b) };
}

function line(name: string, { chain, took }: Measured): string {
  const at = (share: number) => took[Math.floor(share * (took.length - 1))] ?? 0;
  const over = (share: number) => (at(share) - chain * ANSWER_MS).toFixed(1);
  return [
    name.padEnd(26),
    `chain ${chain}`,
    `median ${at(0.5).toFixed(1)} ms, that is ${chain} × ${ANSWER_MS} + ${over(0.5)}`,
    `p95 + ${over(0.95)}`,
  ].join('  ');
}
