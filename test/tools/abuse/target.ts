import { type Environment, startEnvironment } from '../../environment/environment.ts';
import { demoMail, sendMail } from '../../environment/mail.ts';
import { startService } from '../../environment/service-process.ts';
import { type SmtpClient, smtpClient } from '../../support/mail/smtp-client.ts';

/** Small, so that creation fills it while we watch. */
const TESTS_MAX_BYTES = 4 * 1024 * 1024;

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

/** The whole service as a child on loopback, with clients that state their address by XCLIENT. */
export async function startTarget(env: Readonly<Record<string, string | undefined>>) {
  const environment: Environment = await startEnvironment({
    TESTS_MAX_BYTES: String(TESTS_MAX_BYTES),
    DNS_QUERIES_PER_CLIENT: '6000',
    DNS_QUERIES_PER_TEST: '3000',
    RATE_LIMIT_WRONG_TOKEN: '10',
    // Clients state their address by X-Forwarded-For.
    TRUST_PROXY: '127.0.0.1',
    ...env,
  });
  const service = await startService({ env: environment.env, onLog: () => {} }).catch(
    async (error: unknown) => {
      await environment.stop();
      throw error;
    },
  );
  const { http, smtp } = service.listening();
  const port = Number(smtp.split(':').at(-1));
  const post = () => fetch(`${http}/v1/tests`, { method: 'POST' });

  async function create(): Promise<CreatedTest> {
    const answer = await post();
    if (answer.status !== 201) throw new Error(`A test was not created: ${answer.status}.`);
    return (await answer.json()) as CreatedTest;
  }

  /** A mail as its owner sends it, tried once. */
  async function deliver(address: string, padding = ''): Promise<Delivery> {
    const begin = performance.now();
    const mail = demoMail(address, environment.key);
    const via = { host: '127.0.0.1', port, client: environment.client };
    const reply = await sendMail({ ...mail, text: `${mail.text}${padding}` }, via).catch(
      (error: unknown) => (error instanceof Error && 'response' in error ? error.response : '0'),
    );
    const milliseconds = performance.now() - begin;
    return { code: Number(String(reply).slice(0, 3)), milliseconds };
  }

  return {
    http,
    dns: environment.dns,
    post,
    create,
    deliver,
    status: async ({ test_id }: CreatedTest) =>
      ((await (await fetch(`${http}/v1/tests/${test_id}/status`)).json()) as { status: string })
        .status,
    /** A connection whose client is `ip`, past its EHLO. */
    async attackFrom(ip: string): Promise<SmtpClient> {
      const client = await smtpClient(port);
      await client.sendAll(
        `XCLIENT ADDR=${ip.includes(':') ? `IPV6:${ip}` : ip}`,
        'EHLO a.example',
      );
      return client;
    },
    async stop() {
      await service.stop();
      await environment.stop();
    },
  };
}

export type Target = Awaited<ReturnType<typeof startTarget>>;
