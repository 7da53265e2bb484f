import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StatusName } from '../../../../src/projection/row.ts';
import type { Environment } from '../../../environment/environment.ts';
import { demoMail, sendMail } from '../../../environment/mail.ts';
import { payingFetch } from '../../../environment/payer.ts';
import { SENDER } from '../../../environment/sender.ts';
import type { Operation, Seen } from './history.ts';
import { reportHash } from './observer.ts';
import type { Replica } from './target.ts';

/** A request without an answer by then, in milliseconds, has shown nothing. */
const ANSWER_MS = 8000;

/** For a mail: an analysis may take its time-out, and the sender waits for it. */
const REPLY_MS = 15_000;

/** No SPF record names it, so that a mail from there without a signature is refused. */
const STRANGER = { ip: '192.0.2.99', host: 'stranger.example' };

const UNREADY: readonly Seen[] = [
  'waiting',
  'processing',
  'rejected_or_not_received',
  'analysis_failed',
];

/** A test as its owner knows it. */
export interface Owned {
  readonly testId: string;
  readonly address: string;
  readonly token: string;
  /** What its mail gives as its date. */
  readonly at: Date;
  /** How far it was seen to come, by any of its clients: each sends it with its next request. */
  seen: number;
}

/** A client's requests; what was answered is added to `operations`. */
export function calls(environment: Environment, operations: Operation[]) {
  const pay = payingFetch(environment.chain.payer.privateKey, environment.env.X402_NETWORK ?? '');
  const ask = (url: string, options: RequestInit = {}) =>
    fetch(url, { ...options, signal: AbortSignal.timeout(ANSWER_MS) });

  async function create(replica: Replica): Promise<Owned | undefined> {
    const from = Date.now();
    const response = await ask(`${replica.http()}/v1/tests`, { method: 'POST' });
    if (response.status !== 201) return undefined;
    const { test_id, address, read_token } = (await response.json()) as Record<string, string>;
    if (!test_id || !address || !read_token) return undefined;
    const tokenSha256 = createHash('sha256').update(read_token).digest('hex');
    operations.push({
      kind: 'created',
      testId: test_id,
      replica: replica.id,
      from,
      to: Date.now(),
      tokenSha256,
    });
    return { testId: test_id, address, token: read_token, at: new Date(from), seen: 0 };
  }

  const position = ({ seen }: Owned) => ({ 'test-position': `${seen}` });

  function notePosition(owned: Owned, { headers }: Response): void {
    owned.seen = Math.max(owned.seen, Number(headers.get('test-position')));
  }

  async function poll(replica: Replica, owned: Owned): Promise<Seen | undefined> {
    const { testId } = owned;
    const from = Date.now();
    const url = `${replica.http()}/v1/tests/${testId}/status`;
    const response = await ask(url, { headers: position(owned) });
    notePosition(owned, response);
    const { status } = (await response.json()) as { status: StatusName };
    const seen = response.ok ? status : response.status === 404 ? 'absent' : undefined;
    if (seen)
      operations.push({
        kind: 'polled',
        testId,
        replica: replica.id,
        from,
        to: Date.now(),
        seen: [seen],
      });
    return seen;
  }

  async function mail(replica: Replica, owned: Owned, refused: boolean) {
    const { testId } = owned;
    const from = Date.now();
    const sending = sendMail(toMail(owned, environment, refused), {
      ...replica.smtp(),
      client: refused ? STRANGER : environment.client,
    });
    const text = await Promise.race([sending.catch((error: Error) => error.message), late()]);
    const reply = toReply(text);
    if (reply)
      operations.push({ kind: 'mailed', testId, replica: replica.id, from, to: Date.now(), reply });
    return reply;
  }

  /** Pays when asked to, and when it is wanted. */
  async function read(replica: Replica, owned: Owned, paying: boolean) {
    const { testId, token } = owned;
    const from = Date.now();
    const url = `${replica.http()}/v1/report?test_id=${testId}`;
    const headers = { 'x-read-token': token, ...position(owned) };
    const options = { headers, signal: AbortSignal.timeout(ANSWER_MS) };
    const response = await (paying ? pay(url, options) : fetch(url, options));
    notePosition(owned, response);
    const body: unknown = await response.json();
    const asked = { testId, replica: replica.id, from, to: Date.now() };
    const polled = (seen: readonly Seen[]) => operations.push({ ...asked, kind: 'polled', seen });
    if (response.status === 409) polled(UNREADY);
    if (response.status === 402 || response.status === 200) polled(['ready']);
    if (response.status === 402 && !paying) operations.push({ ...asked, kind: 'challenged' });
    if (response.status === 404) operations.push({ ...asked, kind: 'withheld' });
    if (response.status === 200)
      operations.push({ ...asked, kind: 'read', report: reportHash(body) });
    return response.status;
  }

  return {
    create: quietly(create),
    poll: quietly(poll),
    mail: quietly(mail),
    read: quietly(read),
  };
}

export type Calls = ReturnType<typeof calls>;

/** The same bytes each time, as a server sends that was not answered 250: text alone has no boundary. */
function toMail({ testId, address, at }: Owned, { key }: Environment, refused: boolean) {
  const { html: _, dkim, ...mail } = demoMail(address, key);
  const same = { ...mail, messageId: `<${testId}@${SENDER.domain}>`, date: at };
  return refused || !dkim ? same : { ...same, dkim };
}

async function late(): Promise<string> {
  await sleep(REPLY_MS, undefined, { ref: false });
  return 'late';
}

function toReply(text: string): 'analysed' | 'failed' | 'refused' | undefined {
  if (text.startsWith('250 2.0.0 Received, but')) return 'failed';
  if (text.startsWith('250 2.0.0')) return 'analysed';
  if (/55[04] 5\.7\.(26|1) Refused: /.test(text)) return 'refused';
  return undefined;
}

/** A request that was broken off has shown nothing. */
const quietly =
  <Args extends unknown[], Value>(call: (...args: Args) => Promise<Value>) =>
  (...args: Args): Promise<Value | undefined> =>
    call(...args).catch(() => undefined);
