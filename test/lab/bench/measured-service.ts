/** Runs the service for a benchmark, and sends emails to it. */

import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEnvironment } from '../../environment/environment.ts';
import { sendMail, type Via } from '../../environment/mail.ts';
import { SENDER } from '../../environment/sender.ts';
import { startService } from '../../environment/service-process.ts';
import { toHostAndPort } from '../../environment/story.ts';

/** Pause before an email that got a 4xx reply is sent again, in milliseconds. Mail servers wait longer. */
const AGAIN_MS = 200;

/** An email in any form that nodemailer sends unchanged. */
type RawMail = NonNullable<Parameters<typeof sendMail>[0]['raw']>;

/**
 * Sends one email like a mail server, repeatedly until it is accepted.
 * @param open returns the email anew for each attempt
 */
export async function deliver(open: () => RawMail, to: string, via: Via): Promise<void> {
  for (;;) {
    const mail = { envelope: { from: `orders@${SENDER.domain}`, to }, raw: open() };
    const code = await sendMail(mail, via).then(
      () => 250,
      (error: { responseCode?: number }) => error.responseCode ?? 0,
    );
    if (code === 250) return;
    if (code < 400 || code > 499) throw new Error(`An email got the reply ${code}.`);
    await sleep(AGAIN_MS);
  }
}

/** Runs all jobs, this many at once. */
export async function inLanes(lanes: number, jobs: readonly (() => Promise<void>)[]) {
  const left = [...jobs];
  const lane = async () => {
    for (let job = left.pop(); job; job = left.pop()) await job();
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

/** A test that is measured. */
export interface Created {
  readonly test_id: string;
  readonly address: string;
}

/**
 * Runs the service as a separate process with its own nats-server and data folder.
 * @param dns the only DNS server that it queries
 * @param checkout the folder of another state of the project, whose service is started instead of this one's
 */
export async function startMeasured(dns: string, checkout?: string) {
  const environment = await startEnvironment({
    PATH: process.env.PATH,
    DNS_SERVERS: dns,
    SMTP_MAX_CLIENTS: '256',
  });
  const started = new AsyncDisposableStack();
  started.defer(environment.stop);
  const { natsPid = 0 } = environment;
  const main = checkout && join(resolve(checkout), 'test/environment/service-main.ts');
  const start = async (env: Readonly<Record<string, string>>) => {
    const service = await startService({ env, onLog: () => {}, ...(main && { main }) });
    started.defer(service.stop);
    return service.listening();
  };
  const { http, smtp, pid } = await start(environment.env).catch(async (error) => {
    await started.disposeAsync();
    throw error;
  });
  return {
    ...{ http, pid, natsPid },
    via: { ...toHostAndPort(smtp), client: environment.client },
    /** Starts a second replica on the same log. @returns its process */
    async addReplica(): Promise<number> {
      const DATA_DIR = `${environment.env.DATA_DIR}-2`;
      return (await start({ ...environment.env, DATA_DIR })).pid;
    },
    async createTests(count: number): Promise<readonly Created[]> {
      const tests: Created[] = [];
      while (tests.length < count) {
        const response = await fetch(`${http}/v1/tests`, { method: 'POST' });
        tests.push((await response.json()) as Created);
      }
      return tests;
    },
    stop: () => started.disposeAsync(),
  };
}

export type MeasuredService = Awaited<ReturnType<typeof startMeasured>>;
