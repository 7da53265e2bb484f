/**
 * Starts the environment in which real mail servers deliver to the service, makes the calls of its clients,
 * and searches the files for words of emails.
 */

import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { loadLogConfig } from '../../../src/config/config.ts';
import { FIXED } from '../../../src/config/constants.ts';
import type { Report } from '../../../src/domain/report/report.ts';
import { openSource } from '../../../src/operator/replay/source.ts';
import { startEnvironment } from '../../environment/environment.ts';
import { freePorts } from '../../environment/free-ports.ts';
import { demoMail } from '../../environment/mail.ts';
import { payingFetch } from '../../environment/payer.ts';
import { SENDER, senderZone } from '../../environment/sender.ts';
import { natsProcess } from '../../environment/server-process.ts';
import { startService } from '../../environment/service-process.ts';
import type { Outgoing } from './sender.ts';

export interface Test {
  readonly test_id: string;
  readonly address: string;
  readonly read_token: string;
}

/** A word in each email's body that must not be found anywhere. */
const CANARY = 'kanarienvogel';

/**
 * Starts the service as a child process with a nats-server that can be killed. The sender's domain authorizes
 * this host, because real mail servers cannot state another client.
 */
export async function startPlace() {
  const folder = await mkdtemp(join(tmpdir(), 'mta-'));
  const [port] = await freePorts(1);
  const configFile = join(folder, 'nats.conf');
  const store = join(folder, 'store');
  await writeFile(
    configFile,
    `listen: "127.0.0.1:${port}"\njetstream { store_dir: "${store}", sync_interval: always }\n`,
  );
  const nats = natsProcess({ configFile, pidFile: join(folder, 'nats.pid') });
  await nats.start();
  const natsUrl = `nats://127.0.0.1:${port}`;
  const environment = await startEnvironment({
    PATH: process.env.PATH,
    NATS_URL: natsUrl,
    DATA_DIR: join(folder, 'data'),
  });
  environment.dns?.setZone({
    ...senderZone(environment.key),
    [SENDER.domain]: { MX: [`10 ${SENDER.host}`], TXT: ['v=spf1 ip4:127.0.0.1 -all'] },
  });
  const log: string[] = [];
  const service = await startService({
    env: environment.env,
    // A killed analysis is given up soon, so that the sender's next attempt is accepted.
    fixed: { durations: { ...FIXED.durations, analysisTimeoutSeconds: 6 } },
    onLog: (line) => log.push(line),
  });
  const { http, smtp } = service.listening();
  const [host = '', smtpPort = ''] = smtp.split(/:(?=\d+$)/);
  const json = async (url: string, init?: RequestInit) => (await fetch(url, init)).json();

  return {
    nats,
    dns: environment.dns,
    target: { host, port: Number(smtpPort) },
    pid: () => service.listening().pid,
    isReady: async () => (await fetch(`${http}/readyz`)).ok,
    create: async () => (await json(`${http}/v1/tests`, { method: 'POST' })) as Test,
    status: async ({ test_id }: Test) =>
      ((await json(`${http}/v1/tests/${test_id}/status`)) as { status: string }).status,
    async report({ test_id, read_token }: Test): Promise<Report> {
      const pay = payingFetch(
        environment.chain.payer.privateKey,
        environment.env.X402_NETWORK ?? '',
      );
      const headers = { 'x-read-token': read_token };
      const answer = await pay(`${http}/v1/report?test_id=${test_id}`, { headers });
      if (!answer.ok) throw new Error(`The report answered ${answer.status}.`);
      return (await answer.json()) as Report;
    },
    /** Returns the types of the test's events, in order. */
    async events({ test_id }: Test): Promise<readonly string[]> {
      const config = loadLogConfig();
      const source = await openSource({ ...config, nats: { ...config.nats, url: natsUrl } });
      try {
        return (await source.tests.read(test_id)).map(({ event }) => event.type);
      } finally {
        await source.close();
      }
    },
    /** Returns files, or the service's log, that contain a word of an email. */
    async leaks(): Promise<readonly string[]> {
      const files = await readdir(folder, { recursive: true, withFileTypes: true });
      const found = log.some((line) => line.includes(CANARY)) ? ["the service's log"] : [];
      for (const file of files.filter((one) => one.isFile())) {
        const path = join(file.parentPath, file.name);
        if ((await readFile(path)).includes(CANARY)) found.push(path);
      }
      return found;
    },
    /** Returns a signed email as a shop's program would write it. */
    async write(to: string): Promise<Outgoing> {
      const composed = demoMail(to, environment.key);
      const { message } = await createTransport({ streamTransport: true, buffer: true }).sendMail({
        ...composed,
        text: `${composed.text}\n${CANARY}\n`,
      });
      const raw = String(message).replaceAll('\r\n', '\n');
      return { from: `orders@${SENDER.domain}`, to, raw };
    },
    /** Repairs what a failed trial left broken. */
    async repair() {
      environment.dns?.setFault(`_mta-sts.${SENDER.domain}`, null);
      if (!nats.alive()) await nats.start();
    },
    lastWords: () => log.slice(-20).join('\n'),
    async stop() {
      await service.stop();
      await environment.stop();
      await nats.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export type Place = Awaited<ReturnType<typeof startPlace>>;
