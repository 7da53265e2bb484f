import { setTimeout as sleep } from 'node:timers/promises';
import { startEnvironment } from '../../environment/environment.ts';
import { sendMail, type Via } from '../../environment/mail.ts';
import { SENDER } from '../../environment/sender.ts';
import { startService } from '../../environment/service-process.ts';
import type { HostileAnswers } from './answers.ts';

/** Between two polls, in milliseconds: many in the time of any mail. */
const POLL_MS = 2;

/** The prober's own precision, in milliseconds, which its gauge includes. */
const PRECISION_MS = 10;

export interface Passage {
  /** From the connection to the reply, in milliseconds. */
  readonly milliseconds: number;
  /** The code of the last reply. */
  readonly reply: string;
  readonly polls: number;
  /** The poll that waited longest for its answer, in milliseconds. */
  readonly slowestPollMs: number;
  /** The longest time in which the service's event loop did not turn, in milliseconds. */
  readonly pauseMs: number;
}

/** The whole service as a child, with a client that polls while another sends a mail. */
export async function startPassage(env: Readonly<Record<string, string | undefined>>) {
  const environment = await startEnvironment(env);
  const service = await startService({ env: environment.env, onLog: () => {} }).catch(
    async (error: unknown) => {
      await environment.stop();
      throw error;
    },
  );
  const { http, smtp, metrics } = service.listening();
  const [host = '', port = ''] = smtp.split(/:(?=\d+$)/);
  const via = { host, port: Number(port), client: environment.client };

  return {
    key: environment.key,
    /** What the sender's DNS says from now on; false: the environment names another. */
    publish(zone: HostileAnswers['zone']): boolean {
      environment.dns?.setZone(zone);
      return environment.dns !== undefined;
    },
    async pass(mail: Buffer): Promise<Passage> {
      const created = await fetch(`${http}/v1/tests`, { method: 'POST' });
      const test = (await created.json()) as { readonly address: string; readonly test_id: string };
      // Reading the gauge resets it.
      await longestPause(metrics);
      const polls = startPolling(`${http}/v1/tests/${test.test_id}/status`);
      const begin = performance.now();
      const reply = await send(mail, test.address, via);
      const milliseconds = performance.now() - begin;
      const seen = await polls.stop();
      return { milliseconds, reply, ...seen, pauseMs: await longestPause(metrics) };
    },
    async stop() {
      await service.stop();
      await environment.stop();
    },
  };
}

/** The reply's code, of a refusal too. */
export async function send(mail: Buffer, to: string, via: Via): Promise<string> {
  const envelope = { from: `orders@${SENDER.domain}`, to };
  const text = await sendMail({ envelope, raw: mail }, via).catch((error: unknown) =>
    error instanceof Error && 'response' in error ? String(error.response) : String(error),
  );
  return text.slice(0, 3);
}

function startPolling(url: string) {
  let stopped = false;
  let polls = 0;
  let slowestPollMs = 0;
  async function run(): Promise<void> {
    while (!stopped) {
      const begin = performance.now();
      const response = await fetch(url);
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`A poll was answered ${response.status}.`);
      slowestPollMs = Math.max(slowestPollMs, performance.now() - begin);
      polls++;
      await sleep(POLL_MS);
    }
  }
  const running = run();
  return {
    async stop() {
      stopped = true;
      await running;
      return { polls, slowestPollMs };
    },
  };
}

/** Since the last call, in milliseconds. */
export async function longestPause(metrics: string): Promise<number> {
  const text = await (await fetch(`${metrics}/metrics`)).text();
  const seconds = /^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(text)?.[1];
  return Math.max(0, Number(seconds) * 1000 - PRECISION_MS);
}
