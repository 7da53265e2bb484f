/** Runs the whole service as a child process that can be killed, with the calls of its clients. */

import type { SendMailOptions } from 'nodemailer';
import type { Fixed } from '../../../src/config/constants.ts';
import { startEnvironment } from '../../environment/environment.ts';
import { demoMail, sendMailPatiently } from '../../environment/mail.ts';
import { payingFetch } from '../../environment/payer.ts';
import { startService } from '../../environment/service-process.ts';
import { until } from './until.ts';

export interface CreatedTest {
  readonly test_id: string;
  readonly address: string;
  readonly read_token: string;
}

interface StackOptions {
  readonly fixed?: Partial<Fixed>;
  /** True if the service runs a nats-server of its own in `DATA_DIR`. Otherwise, the environment runs one. */
  readonly ownLog?: boolean;
}

/** Lines of the log that are shown if the service does not come back. */
const LAST_LINES = 20;

/** Starts the service as a child process in the demo's environment, with a client's calls. */
export async function startStack(
  settings: Readonly<Record<string, string>> = {},
  { ownLog = false, fixed }: StackOptions = {},
) {
  const env = { PATH: process.env.PATH, ...settings };
  const environment = await startEnvironment(ownLog ? { ...env, NATS_URL: 'none' } : env);
  const { NATS_URL = '', ...others } = environment.env;
  const log: string[] = [];
  const service = await startService({
    env: ownLog ? others : { ...others, NATS_URL },
    fixed,
    onLog: (line) => log.push(line),
  }).catch(async (error: unknown) => {
    await environment.stop();
    throw new Error(log.join('\n'), { cause: error });
  });
  const http = () => service.listening().http;
  const smtp = () => {
    const [host = '', port = ''] = service.listening().smtp.split(/:(?=\d+$)/);
    return { host, port: Number(port) };
  };
  const reportUrl = ({ test_id }: Pick<CreatedTest, 'test_id'>) =>
    `${http()}/v1/report?test_id=${test_id}`;
  const headersOf = ({ read_token }: Pick<CreatedTest, 'read_token'>) => ({
    'x-read-token': read_token,
  });

  return {
    environment,
    log,
    pid: () => service.listening().pid,
    http,
    smtp,
    metrics: () => service.listening().metrics,
    create: async () =>
      (await (await fetch(`${http()}/v1/tests`, { method: 'POST' })).json()) as CreatedTest,
    /** Sends the demo's email with parts of it changed. Returns the server's reply, or rejects with it. */
    send: (to: string, change: SendMailOptions = {}) =>
      sendMailPatiently(
        { ...demoMail(to, environment.key), ...change },
        { ...smtp(), client: environment.client },
      ),
    status: async ({ test_id }: Pick<CreatedTest, 'test_id'>) =>
      (await (await fetch(`${http()}/v1/tests/${test_id}/status`)).json()) as {
        readonly status: string;
        readonly refusal?: { readonly reasons?: readonly { readonly code: string }[] };
      },
    read: (test: CreatedTest, headers: Record<string, string> = {}) =>
      fetch(reportUrl(test), { headers: { ...headersOf(test), ...headers } }),
    pay: (test: CreatedTest) =>
      payingFetch(environment.chain.payer.privateKey, 'eip155:8453')(reportUrl(test), {
        headers: headersOf(test),
      }),
    income: () => environment.chain.usdcBalance(environment.chain.payTo),
    /** Runs `kill -9`, then waits until the next process is ready. */
    async kill() {
      const { pid } = service.listening();
      process.kill(pid, 'SIGKILL');
      await until(async () => {
        if (service.listening().pid === pid) return undefined;
        return (await fetch(`${http()}/readyz`)).ok || undefined;
      }).catch((cause: unknown) => {
        throw new Error(log.slice(-LAST_LINES).join('\n'), { cause });
      });
    },
    async stop() {
      await service.stop();
      await environment.stop();
    },
  };
}

export type Stack = Awaited<ReturnType<typeof startStack>>;
