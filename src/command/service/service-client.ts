import type { CreatedTest, TestStatus } from '../../api/schemas/tests.ts';
import {
  describeProblem,
  problemOf,
  type ServiceAnswer,
  type ServiceCall,
} from '../../mcp/service-call.ts';
import { CommandError, EXIT, usageError } from '../exit.ts';

/** Longest wait for an answer, in milliseconds: a settlement takes 25 s, a waiting status 30 s. */
const ANSWER_MS = 60_000;

/** Between tries when the service names no time of its own, in seconds. */
const RETRY_SECONDS = 2;

/** Longest pause between tries, in seconds. */
const MAX_PAUSE_SECONDS = 30;

/** The service's answers that a later try may change. */
const PASSING = new Set([429, 502, 503, 504]);

/**
 * The calls of a service, over HTTP. A redirect is not followed: it would carry the read token to
 * another server.
 *
 * @throws CommandError when it is no URL of a service
 */
export function httpCall(serviceUrl: string): ServiceCall {
  const base = serviceUrl.replace(/\/+$/, '');
  if (!URL.canParse(base) || !/^https?:\/\//.test(base))
    throw usageError(
      `--service must be a URL such as https://mailtest.example, not ${serviceUrl}.`,
    );
  return async (method, path, headers = {}) => {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: { accept: 'application/json', 'user-agent': 'deliverability', ...headers },
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: parseJson(text) };
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const secondsOf = ({ headers }: ServiceAnswer): number => {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : RETRY_SECONDS;
};

/** What is known of the service and the person's patience. */
export interface ServiceOptions {
  readonly call: ServiceCall;
  /** Seconds for which an outage is waited out. */
  readonly retryFor: number;
  readonly note: (text: string) => void;
  /** Waits for some seconds. */
  readonly pause: (seconds: number) => Promise<void>;
}

/**
 * Sends a request again while the service is away or too busy.
 *
 * @throws CommandError `serviceAway` when it stays so for `retryFor` seconds
 */
export async function callPatiently(
  { call, retryFor, note, pause }: ServiceOptions,
  ...request: Parameters<ServiceCall>
): Promise<ServiceAnswer> {
  const end = performance.now() + retryFor * 1000;
  for (let isFirst = true; ; isFirst = false) {
    const answer = await call(...request).catch(toReason);
    if ('status' in answer && !PASSING.has(answer.status)) return answer;
    const why = 'status' in answer ? describeProblem(answer) : answer.reason;
    const seconds = Math.min(
      'status' in answer ? secondsOf(answer) : RETRY_SECONDS,
      MAX_PAUSE_SECONDS,
    );
    if (performance.now() + seconds * 1000 > end)
      throw new CommandError(EXIT.serviceAway, `The service is away. ${why}`);
    if (isFirst) note(`${why} Trying again for up to ${retryFor} s.`);
    await pause(seconds);
  }
}

/** Why no answer came, without a URL or a header in it. */
function toReason(error: unknown): { readonly reason: string } {
  const { name, cause } = error instanceof Error ? error : { name: '', cause: undefined };
  if (name === 'TimeoutError') return { reason: 'It did not answer in time.' };
  const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
  return { reason: `It cannot be reached${code}.` };
}

/** By whose fault it is: the service's, the request's, or the test has no report. */
const exitCodeOf = (status: number) =>
  status >= 500
    ? EXIT.serviceAway
    : status === 400 || status === 403
      ? EXIT.usage
      : EXIT.notReceived;

/** The body of an answer. @throws CommandError unless it has this status, and one */
export function expectStatus(answer: ServiceAnswer, status: number): unknown {
  expectDone(answer, answer.body === undefined ? Number.NaN : status);
  return answer.body;
}

/** @throws CommandError unless the answer has this status */
export function expectDone(answer: ServiceAnswer, status: number): void {
  const { headers } = answer;
  if (answer.status === status) return;
  if (answer.status >= 300 && answer.status < 400)
    throw usageError(`The service is somewhere else: set --service by ${headers.get('location')}.`);
  if (problemOf(answer).code === undefined)
    throw new CommandError(
      EXIT.serviceAway,
      `This is no deliverability test service: it answered with status ${answer.status}. Check --service.`,
    );
  throw new CommandError(exitCodeOf(answer.status), describeProblem(answer));
}

/** A new test. */
export async function requestTest(service: ServiceOptions): Promise<CreatedTest> {
  const answer = await callPatiently(service, 'POST', '/v1/tests');
  return expectStatus(answer, 201) as CreatedTest;
}

/** Longest wait that the service grants, in seconds. */
const WAIT_SECONDS = 30;

/** Where a test stands, after the next change or some seconds. */
export async function readStatus(
  service: ServiceOptions,
  testId: string,
  waitSeconds = 0,
): Promise<{ readonly status: TestStatus; readonly waited: boolean }> {
  const seconds = Math.min(WAIT_SECONDS, Math.max(0, Math.ceil(waitSeconds)));
  const headers = seconds > 0 ? { prefer: `wait=${seconds}` } : {};
  const answer = await callPatiently(service, 'GET', `/v1/tests/${testId}/status`, headers);
  return {
    status: expectStatus(answer, 200) as TestStatus,
    waited: answer.headers.has('preference-applied'),
  };
}
