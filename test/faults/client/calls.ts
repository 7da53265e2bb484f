/** Makes every request that a client can make, and records the responses. */

import { createHash } from 'node:crypto';
import { x402Client } from '@x402/core/client';
import { encodePaymentSignatureHeader } from '@x402/core/http';
import { ExactEvmScheme } from '@x402/evm';
import { privateKeyToAccount } from 'viem/accounts';
import { decodeHeader } from '../../../src/domain/x402-headers.ts';
import type { StatusName } from '../../../src/projection/row.ts';
import type { ChainAccount } from '../../environment/chain.ts';
import type { Environment } from '../../environment/environment.ts';
import { demoMail, sendMail } from '../../environment/mail.ts';
import { SENDER } from '../../environment/sender.ts';
import type { Answer, Operation, OperationOf, Seen } from '../judge/history.ts';
import { reportHash } from '../world/observer.ts';
import type { Replica } from '../world/parts.ts';

/** A request without a response by then, in milliseconds, has shown nothing. */
const ANSWER_MS = 10_000;

/** The limit for an email: an analysis may take its full time-out, and the sender waits for it. */
const REPLY_MS = 15_000;

/** A client that no SPF record names, so that an unsigned email from it is refused. */
const STRANGER = { ip: '192.0.2.99', host: 'stranger.example' };

const UNREADY: readonly Seen[] = [
  'waiting',
  'processing',
  'rejected_or_not_received',
  'analysis_failed',
];

/** Everything that was asked and answered so far. */
export interface Record {
  readonly operations: Operation[];
  readonly answers: Answer[];
}

/** A test as its owner knows it. */
export interface Owned {
  readonly testId: string;
  readonly address: string;
  readonly token: string;
  /** The date of its email. */
  readonly at: Date;
  /** The latest state that any of its clients saw. Each sends it with its next request. */
  seen: number;
}

/** A response as its caller acts on it. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** The hash of the report. */
  readonly report?: string;
}

/** The part of an operation that does not say who asked, and when. */
type What = Operation extends infer One
  ? One extends Operation
    ? Omit<One, 'testId' | 'replica' | 'from' | 'to'>
    : never
  : never;

/** Makes one request of each kind, once. Each response is recorded; without one there is no result. */
export function calls({ chain, key, client, env }: Environment, record: Record) {
  const network = (env.X402_NETWORK ?? '') as `${string}:${string}`;

  function note(call: Answer['call'], replica: Replica, text: string, isPatient = false) {
    record.answers.push({ call, replica: replica.id, at: Date.now(), text, isPatient });
  }

  /** Returns the response to the request, and a way to record what it means. */
  async function ask(call: string, replica: Replica, path: string, options: RequestInit = {}) {
    const from = Date.now();
    try {
      const signal = AbortSignal.timeout(ANSWER_MS);
      const response = await fetch(replica.http() + path, { ...options, signal });
      const text = await response.text();
      const to = Date.now();
      const { status, headers } = response;
      const body = text.startsWith('{') ? JSON.parse(text) : {};
      const { code = '' } = status < 400 ? {} : body;
      note(call, replica, `${status} ${code}`.trim(), headers.has('retry-after'));
      const means = (testId: string, ...what: readonly What[]) => {
        for (const one of what)
          record.operations.push({ ...one, testId, replica: replica.id, from, to } as Operation);
      };
      return { status, headers, body, means };
    } catch {
      note(call, replica, 'no answer');
      return undefined;
    }
  }

  const position = ({ seen }: Owned) => ({ 'test-position': `${seen}` });
  const notePosition = (owned: Owned, headers: Headers) => {
    owned.seen = Math.max(owned.seen, Number(headers.get('test-position')));
  };

  return {
    async create(replica: Replica): Promise<Owned | undefined> {
      const at = new Date();
      const answer = await ask('create', replica, '/v1/tests', { method: 'POST' });
      if (answer?.status !== 201) return undefined;
      const { test_id: testId, address, read_token: token } = answer.body;
      const tokenSha256 = createHash('sha256').update(token).digest('hex');
      answer.means(testId, { kind: 'created', tokenSha256 });
      return { testId, address, token, at, seen: 0 };
    },

    async poll(replica: Replica, owned: Owned): Promise<Seen | undefined> {
      const path = `/v1/tests/${owned.testId}/status`;
      const answer = await ask('status', replica, path, { headers: position(owned) });
      if (!answer) return undefined;
      notePosition(owned, answer.headers);
      const seen: Seen | undefined =
        answer.status === 200
          ? (answer.body.status as StatusName)
          : answer.status === 404
            ? 'absent'
            : undefined;
      if (seen) answer.means(owned.testId, { kind: 'polled', seen: [seen] });
      return seen;
    },

    /** Sends the email. With `refused`, the sender may not send for that domain. */
    async mail(
      replica: Replica,
      owned: Owned,
      refused = false,
    ): Promise<OperationOf<'mailed'>['reply'] | 'refused for another reason' | undefined> {
      const from = Date.now();
      const via = { ...replica.smtp(), client: refused ? STRANGER : client };
      const sending = sendMail(toMail(owned, key, refused), via);
      const late = new Promise<string>((resolve) => setTimeout(resolve, REPLY_MS, 'late').unref());
      const text = await Promise.race([sending.catch((error: Error) => error.message), late]);
      const code = /\b([245]\d\d[ -]\d\.\d+\.\d+)/.exec(text)?.[1]?.replace('-', ' ');
      note('mail', replica, code ? `SMTP ${code}` : 'no answer');
      const reply = toReply(text);
      if (reply) {
        const { testId } = owned;
        const asked = { testId, replica: replica.id, from, to: Date.now() };
        record.operations.push({ ...asked, kind: 'mailed', reply });
      }
      return reply ?? (code?.startsWith('5') ? 'refused for another reason' : undefined);
    },

    /** Reads the report, for free or with that payment. */
    async read(replica: Replica, owned: Owned, payment?: string): Promise<Reply | undefined> {
      const { testId, token } = owned;
      const answer = await ask('read', replica, `/v1/report?test_id=${testId}`, {
        headers: {
          'x-read-token': token,
          ...position(owned),
          // Each test has a different client, because limits per client are not tested here.
          'x-forwarded-for': clientOf(testId),
          ...(payment && { 'payment-signature': payment }),
        },
      });
      if (!answer) return undefined;
      const { status, headers, body, means } = answer;
      notePosition(owned, headers);
      if (status === 409)
        means(
          testId,
          body.code === 'sale_closed' ? { kind: 'withheld' } : { kind: 'polled', seen: UNREADY },
        );
      if (status === 402 || status === 200) means(testId, { kind: 'polled', seen: ['ready'] });
      if (status === 402 && !payment) means(testId, { kind: 'challenged' });
      if (status === 404) means(testId, { kind: 'polled', seen: ['absent'] });
      if (status !== 200) return { status, headers };
      const report = reportHash(body);
      means(testId, { kind: 'read', report });
      return { status, headers, report };
    },

    async remove(replica: Replica, { testId, token }: Owned): Promise<number | undefined> {
      const options = { method: 'DELETE', headers: { 'x-read-token': token } };
      const answer = await ask('delete', replica, `/v1/tests/${testId}`, options);
      if (answer?.status === 204) answer.means(testId, { kind: 'deleted' });
      return answer?.status;
    },

    /** Returns what the official client sends for the requirements in a 402. */
    async sign({ privateKey }: ChainAccount, { headers }: Reply): Promise<string> {
      const signer = new x402Client().register(
        network,
        new ExactEvmScheme(privateKeyToAccount(privateKey)),
      );
      const asked = decodeHeader(headers.get('payment-required') ?? '');
      return encodePaymentSignatureHeader(await signer.createPaymentPayload(asked as never));
    },

    fund: (address: ChainAccount['address'], reports: number) =>
      chain.fundToken(address, 50_000n * BigInt(reports)),
  };
}

export type Calls = ReturnType<typeof calls>;

/**
 * Returns the same bytes each time, as a server sends again without a 250. An email with only text has no
 * boundary.
 */
function toMail({ testId, address, at }: Owned, key: Environment['key'], refused: boolean) {
  const { html: _, dkim, ...mail } = demoMail(address, key);
  const same = { ...mail, messageId: `<${testId}@${SENDER.domain}>`, date: at };
  return refused || !dkim ? same : { ...same, dkim };
}

const clientOf = (testId: string) =>
  `198.18.${createHash('sha256').update(testId).digest().subarray(0, 2).join('.')}`;

function toReply(text: string): OperationOf<'mailed'>['reply'] | undefined {
  if (/250 2\.0\.0 Received, but/.test(text)) return 'failed';
  if (text.startsWith('250 2.0.0')) return 'analysed';
  if (/55[04] 5\.7\.(26|1) Refused: /.test(text)) return 'refused';
  return undefined;
}
