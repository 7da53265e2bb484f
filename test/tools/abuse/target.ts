import { readFileSync } from 'node:fs';
import { FIXED } from '../../../src/config/fixed.ts';
import { type Environment, startEnvironment } from '../../environment/environment.ts';
import { demoMail, sendMail } from '../../environment/mail.ts';
import { payingFetch } from '../../environment/payer.ts';
import { senderZone } from '../../environment/sender.ts';
import { startService } from '../../environment/service-process.ts';
import { type SmtpClient, smtpClient } from '../../support/mail/smtp-client.ts';
import { startDns } from './dns.ts';

/** Small, so that creation fills it while we watch. */
const TESTS_MAX_BYTES = 4 * 1024 * 1024;

/** Where the system allows few. */
const FILES = 2048;

/** Longest wait of an attacker for a reply, in milliseconds. */
const PATIENCE_MS = 300_000;

export interface CreatedTest {
  readonly test_id: string;
  readonly address: string;
  readonly read_token: string;
}

/** How one honest mail fared. */
export interface Delivery {
  /** The code of the last reply; 0: there was none. */
  readonly code: number;
  readonly milliseconds: number;
}

interface Options {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Reports are sold; else they are free. */
  readonly sells: boolean;
  /** As many creations a minute as in production, and open files as few as anywhere. */
  readonly tight: boolean;
}

/** The limits of production, and clients that state their address. */
const LIMITS = {
  TESTS_MAX_BYTES: String(TESTS_MAX_BYTES),
  RATE_LIMIT_CREATE: '30',
  TRUST_PROXY: '127.0.0.1',
};

/** Another honest client of the API each time, in another network. */
let clients = 0;
const honest = () => {
  clients += 1;
  return { 'x-forwarded-for': `10.${(clients >> 8) & 255}.${clients & 255}.1` };
};

/** The whole service as a child on loopback, with clients that state their address by XCLIENT. */
export async function startTarget({ env, sells, tight }: Options) {
  const dns = await startDns();
  const environment: Environment = await startEnvironment({
    ...LIMITS,
    ...(sells ? {} : { TESTS_MAX_BYTES: String(256 * 1024 * 1024) }),
    ...(tight && { CREATE_PER_MINUTE: '1000' }),
    ...env,
    DNS_SERVERS: dns.address,
  });
  await dns.call('setZone', senderZone(environment.key));
  const settings = Object.entries(environment.env).filter(
    ([name]) => sells || !name.startsWith('X402_'),
  );
  const service = await startService({
    env: { ...Object.fromEntries(settings), PAYMENTS: sells ? 'on' : 'off' },
    fixed: FIXED,
    onLog: () => {},
    ...(tight && { files: FILES }),
  }).catch(async (error: unknown) => {
    await environment.stop();
    await dns.stop();
    throw error;
  });
  const { http, smtp, pid } = service.listening();
  const port = Number(smtp.split(':').at(-1));
  const post = (headers: Record<string, string> = honest()) =>
    fetch(`${http}/v1/tests`, { method: 'POST', headers });

  async function create(): Promise<CreatedTest> {
    const answer = await post();
    if (answer.status !== 201) throw new Error(`A test was not created: ${answer.status}.`);
    return (await answer.json()) as CreatedTest;
  }

  /** A mail as its owner sends it, tried once. */
  async function deliver(
    address: string,
    { text, ip = environment.client.ip }: { readonly text?: string; readonly ip?: string } = {},
  ): Promise<Delivery> {
    const begin = performance.now();
    const via = { host: '127.0.0.1', port, client: { ...environment.client, ip } };
    const mail = { ...demoMail(address, environment.key), ...(text !== undefined && { text }) };
    const reply = await sendMail(mail, via).catch((error: unknown) =>
      error instanceof Error && 'response' in error ? error.response : '0',
    );
    const milliseconds = performance.now() - begin;
    return { code: Number(String(reply).slice(0, 3)), milliseconds };
  }

  const reportUrl = ({ test_id }: CreatedTest) => `${http}/v1/report?test_id=${test_id}`;

  return {
    http,
    port,
    key: environment.key,
    dns,
    honest,
    post,
    create,
    deliver,
    /** The report without what is different in every one: its times and its test. */
    async report(test: CreatedTest): Promise<string> {
      const headers = { ...honest(), 'x-read-token': test.read_token };
      const text = await (await fetch(reportUrl(test), { headers })).text();
      return text
        .replaceAll(test.test_id, 'TEST')
        .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
        .replace(/(?<=STSv1; id=)\d+/g, 'TIME')
        .replace(/\d+ seconds? (?:before|after)\b/g, 'TIME')
        .replace(/(?<="(?:date_)?skew_seconds":)-?\d+/g, '0');
    },
    /** What the service's process has in memory. */
    memoryMib(): number {
      const [, pages = '0'] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ');
      return Math.round(Number(pages) / 256);
    },
    /** The code of the answer to a payment. */
    async pay(test: CreatedTest): Promise<number> {
      const pay = payingFetch(environment.chain.payer.privateKey, 'eip155:8453');
      const headers = { ...honest(), 'x-read-token': test.read_token };
      return (await pay(reportUrl(test), { headers })).status;
    },
    status: async ({ test_id }: CreatedTest) =>
      (
        (await (
          await fetch(`${http}/v1/tests/${test_id}/status`, { headers: honest() })
        ).json()) as { status: string }
      ).status,
    /** A connection whose client is `ip`, past its EHLO. */
    async attackFrom(ip: string): Promise<SmtpClient> {
      const client = await smtpClient(port, true, PATIENCE_MS);
      await client.sendAll(
        `XCLIENT ADDR=${ip.includes(':') ? `IPV6:${ip}` : ip}`,
        'EHLO a.example',
      );
      return client;
    },
    async stop() {
      await service.stop();
      await environment.stop();
      await dns.stop();
    },
  };
}

export type Target = Awaited<ReturnType<typeof startTarget>>;
