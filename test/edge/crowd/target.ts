/**
 * Runs the service that a crowd attacks, with the calls of honest clients, and measures the memory and the
 * pauses of its process.
 */

import { readFileSync } from 'node:fs';
import { FIXED } from '../../../src/config/constants.ts';
import { startEnvironment } from '../../environment/environment.ts';
import { demoMail, sendMail } from '../../environment/mail.ts';
import { payingFetch } from '../../environment/payer.ts';
import { senderZone } from '../../environment/sender.ts';
import { startService } from '../../environment/service-process.ts';
import { startAttackers } from './attackers.ts';
import { type CreatedTest, type Crowd, FILES, scaled } from './crowd.ts';
import { startDns } from './dns.ts';

const MIB = 1024 * 1024;

/** The prober's own precision, in milliseconds, which the service's gauge includes. */
const PRECISION_MS = 10;

/** The limits of production, with clients that state their address. */
const limitsOf = (service: Crowd['service']) => ({
  SMTP_MAX_CLIENTS: String(scaled(500)),
  // The limit is small, so that the creation of tests fills the log while we watch.
  TESTS_MAX_BYTES: String((service === 'sells' ? 1 : 256) * MIB),
  RATE_LIMIT_CREATE: '30',
  TRUST_PROXY: '127.0.0.1',
});

/** A different honest client of the API each time, in another network. */
let clients = 0;
const honest = () => {
  clients += 1;
  return { 'x-forwarded-for': `172.${(clients >> 8) & 255}.${clients & 255}.1` };
};

/** The result of one honest email. */
export interface Delivery {
  /** The code of the last reply. 0 if there was none. */
  readonly code: number;
  readonly milliseconds: number;
}

/** Starts the whole service as a child on loopback, with clients that state their address by XCLIENT. */
export async function startTarget(service: Crowd['service'] = 'free') {
  const sells = service === 'sells';
  const dns = await startDns();
  const environment = await startEnvironment({
    ...limitsOf(service),
    PATH: process.env.PATH,
    DNS_SERVERS: dns.address,
  });
  await dns.call('setZone', senderZone(environment.key));
  const settings = Object.entries(environment.env).filter(
    ([name]) => sells || !name.startsWith('X402_'),
  );
  const child = await startService({
    env: { ...Object.fromEntries(settings), PAYMENTS: sells ? 'on' : 'off' },
    fixed: { ...FIXED, createPerMinute: service === 'tight' ? FIXED.createPerMinute : 0 },
    onLog: () => {},
    ...(service === 'tight' && { files: FILES }),
  }).catch(async (error: unknown) => {
    await environment.stop();
    await dns.stop();
    throw error;
  });
  const attackers = await startAttackers();
  const { http, smtp, metrics, pid } = child.listening();
  const port = Number(smtp.split(':').at(-1));
  const { key, client, chain } = environment;

  const reportOf = (test: CreatedTest) => ({
    url: `${http}/v1/report?test_id=${test.test_id}`,
    headers: { ...honest(), 'x-read-token': test.read_token },
  });

  return {
    place: { http, port, key },
    dns,
    attackers,
    post: () => fetch(`${http}/v1/tests`, { method: 'POST', headers: honest() }),
    async create(): Promise<CreatedTest> {
      const answer = await this.post();
      if (answer.status !== 201) throw new Error(`A test was not created: ${answer.status}.`);
      return (await answer.json()) as CreatedTest;
    },
    /**
     * Sends an email as its owner would, once. By default it comes from the address of all honest clients.
     */
    async deliver(address: string, text?: string, ip: string = client.ip): Promise<Delivery> {
      const begin = performance.now();
      const mail = { ...demoMail(address, key), ...(text !== undefined && { text }) };
      const via = { host: '127.0.0.1', port, client: { ...client, ip } };
      const reply = await sendMail(mail, via).catch((error: unknown) =>
        error instanceof Error && 'response' in error ? error.response : '0',
      );
      const milliseconds = performance.now() - begin;
      return { code: Number(String(reply).slice(0, 3)), milliseconds };
    },
    /** Waits for the test's next state. Returns whether the wait was granted, and the state. */
    async wait({ test_id }: CreatedTest) {
      const headers = { ...honest(), prefer: 'wait=30' };
      const answer = await fetch(`${http}/v1/tests/${test_id}/status`, { headers });
      const { status } = (await answer.json()) as { readonly status?: string };
      return { granted: answer.headers.has('preference-applied'), status };
    },
    /** Returns how long an honest call of the API takes, in milliseconds, or infinity without a response. */
    async call({ test_id }: CreatedTest): Promise<number> {
      const begin = performance.now();
      const url = `${http}/v1/tests/${test_id}/status`;
      const isAnswered = await fetch(url, { headers: honest() }).then(
        (answer) => answer.text().then(() => true),
        () => false,
      );
      return isAnswered ? performance.now() - begin : Number.POSITIVE_INFINITY;
    },
    /** Returns the report without what differs in every one: its times and its test. */
    async report(test: CreatedTest): Promise<string> {
      const { url, headers } = reportOf(test);
      return (await (await fetch(url, { headers })).text())
        .replaceAll(test.test_id, 'TEST')
        .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
        .replace(/(?<=STSv1; id=)\d+/g, 'TIME')
        .replace(/\d+ seconds? (?:before|after)\b/g, 'TIME')
        .replace(/(?<="(?:date_)?skew_seconds":)-?\d+/g, '0');
    },
    /** Returns the status of the response to a payment. */
    async pay(test: CreatedTest): Promise<number> {
      const { url, headers } = reportOf(test);
      return (await payingFetch(chain.payer.privateKey, 'eip155:8453')(url, { headers })).status;
    },
    /** Returns the memory of the service's process, in MiB. */
    memory(): number {
      const [, pages = '0'] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ');
      return Math.round(Number(pages) / 256);
    },
    /**
     * Returns the longest time since the last call in which the event loop did not turn, in milliseconds.
     */
    async longestPause(): Promise<number> {
      const text = await (await fetch(`${metrics}/metrics`)).text();
      const lag = /^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(text)?.[1];
      return Math.max(0, Number(lag) * 1000 - PRECISION_MS);
    },
    async stop() {
      await attackers.stop();
      await child.stop();
      await environment.stop();
      await dns.stop();
    },
  };
}

export type Target = Awaited<ReturnType<typeof startTarget>>;
