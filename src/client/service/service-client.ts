/**
 * Makes HTTP requests to the service, for example to create a test or read its status, repeats them while the
 * service is unavailable, and checks the responses.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import type { CreatedTest, TestStatus } from '../../api/schemas/tests.ts';
import { parseJson, readCapped } from '../../domain/response-body.ts';
import {
  describeProblem,
  problemOf,
  type ServiceAnswer,
  type ServiceCall,
} from '../../mcp/service-call.ts';
import { CommandError, usageError } from '../exit.ts';
import { PROGRESS_SECONDS } from '../with-progress.ts';
import { isCreatedTest, isTestStatus } from './answer-shapes.ts';

/**
 * Maximum time in milliseconds to wait for a response. A request that waits for a change of the status takes
 * up to 30 s.
 */
const ANSWER_MS = 60_000;

/**
 * Maximum time in milliseconds to wait for the response to a payment. The service waits for the chain as long
 * as the authorization is valid, which is 120 s.
 */
const PAYMENT_MS = 150_000;

/** Maximum size of a response in bytes. A complete report has about 100 KB. */
const MAX_BODY_BYTES = 5_000_000;

/** Pause in seconds between attempts if the service does not state one. */
const RETRY_SECONDS = 2;

/** Maximum pause between attempts, in seconds. */
const MAX_PAUSE_SECONDS = 30;

/**
 * Returns whether a response is a temporary failure, after which a later attempt may succeed: of the service,
 * or of a proxy in front of it, which may use any status from 500. Only a fault of the service itself lasts.
 */
export const isPassing = (answer: ServiceAnswer): boolean =>
  answer.status === 408 ||
  answer.status === 429 ||
  (answer.status >= 500 && problemOf(answer).code !== 'internal_error');

/**
 * Returns a function that calls the service over HTTP. Redirects are not followed, because they would send
 * the read token to another server.
 *
 * @throws CommandError if the URL cannot be that of a service
 */
export function httpCall(serviceUrl: string): ServiceCall {
  const base = serviceUrl.replace(/\/+$/, '');
  // The value is not shown here, because it may contain a password or the key of a test.
  if (/[?#@]/.test(base))
    throw usageError(
      '--service must be the URL of the service alone, such as https://mailtest.example, without ?, # or a user name.',
    );
  if (!URL.canParse(base) || !/^https?:\/\//i.test(base))
    throw usageError(
      `--service must be a URL such as https://mailtest.example, not ${serviceUrl}.`,
    );
  return async (method, path, headers = {}) => {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: { accept: 'application/json', 'user-agent': 'deliverability', ...headers },
      redirect: 'manual',
      signal: AbortSignal.timeout('payment-signature' in headers ? PAYMENT_MS : ANSWER_MS),
    });
    return {
      status: response.status,
      headers: response.headers,
      body: parseJson(await readCapped(response, MAX_BODY_BYTES)),
    };
  };
}

/** Returns how long to wait before the next attempt, in seconds. `answer` is null if there was no response. */
export const pauseAfter = (answer: ServiceAnswer | null, otherwise = RETRY_SECONDS): number => {
  const seconds = Number(answer?.headers.get('retry-after') ?? Number.NaN);
  return Math.min(seconds >= 1 ? seconds : otherwise, MAX_PAUSE_SECONDS);
};

/** The longest time that a caller may ask to wait, in seconds: as long as a report exists. */
export const LONGEST_WAIT_SECONDS = 86_400;

/**
 * Checks a time that a caller has set. With `NaN`, a timer would end immediately, and the service would be
 * asked without a pause.
 *
 * @throws CommandError that names the range
 */
export function toSeconds(name: string, seconds: number): number {
  if (seconds >= 0 && seconds <= LONGEST_WAIT_SECONDS) return seconds;
  throw usageError(
    `${name} must be a number of seconds from 0 to ${LONGEST_WAIT_SECONDS}, not ${seconds}.`,
  );
}

/** The service, and how long to wait for it during an outage. */
export interface ServiceOptions {
  readonly call: ServiceCall;
  /** Maximum time to wait during an outage, in seconds. */
  readonly retryFor: number;
  readonly note: (text: string) => void;
  /** Waits before the next attempt. Default: a timer. */
  readonly pause?: (milliseconds: number) => Promise<unknown>;
}

/**
 * Sends a request, and repeats it while the service is unavailable or too busy.
 *
 * @throws CommandError `service_unreachable` if that lasts for `retryFor` seconds
 */
export async function callPatiently(
  { call, retryFor, note, pause = sleep }: ServiceOptions,
  ...request: Parameters<ServiceCall>
): Promise<ServiceAnswer> {
  const start = performance.now();
  let noted: number | undefined;
  for (;;) {
    const answer = await call(...request).catch(toReason);
    if ('status' in answer && !isPassing(answer)) return answer;
    const why = 'status' in answer ? describeProblem(answer) : answer.reason;
    const seconds = pauseAfter('status' in answer ? answer : null);
    const gone = (performance.now() - start) / 1000;
    if (gone + seconds > retryFor)
      throw new CommandError('service_unreachable', `The service is unavailable. ${why}`);
    if (noted === undefined) note(`${why} Trying again for up to ${retryFor} s.`);
    else if (gone - noted >= PROGRESS_SECONDS)
      note(`The service is still unavailable: ${Math.round(gone)} s of at most ${retryFor} s.`);
    if (noted === undefined || gone - noted >= PROGRESS_SECONDS) noted = gone;
    await pause(1000 * seconds);
  }
}

/** Says why there was no response, without revealing a URL or a header. */
function toReason(error: unknown): { readonly reason: string } {
  const { name, cause } = error instanceof Error ? error : { name: '', cause: undefined };
  if (name === 'TimeoutError') return { reason: 'It did not respond in time.' };
  const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
  return { reason: `It cannot be reached${code}.` };
}

/**
 * Returns the body of a response.
 * @throws CommandError unless the response has this status and the body has this shape
 */
export function expectBody<T>(
  answer: ServiceAnswer,
  status: number,
  isShape: (body: unknown) => body is T,
): T {
  expectDone(answer, status);
  if (isShape(answer.body)) return answer.body;
  throw new CommandError('not_a_service', notOurs(answer));
}

const notOurs = ({ status }: ServiceAnswer) =>
  `This is not a deliverability test service, or this command is too old for it: its response (${status}) cannot be read. Check --service.`;

/**
 * Checks the status of a response without a body.
 * @throws CommandError unless the response has this status
 */
export function expectDone(answer: ServiceAnswer, status: number): void {
  const { headers } = answer;
  if (answer.status === status) return;
  if (answer.status >= 300 && answer.status < 400)
    throw usageError(`The service has moved: set --service to match ${headers.get('location')}.`);
  const { code, test_status } = problemOf(answer);
  // For a test that does not exist, the code is `test_not_found`.
  if (code === 'not_found')
    throw new CommandError(
      'not_a_service',
      'There is no service at this path. Set --service to the URL of the service, such as https://mailtest.example.',
    );
  if (code === undefined) throw new CommandError('not_a_service', notOurs(answer));
  throw new CommandError(code, describeProblem(answer), {
    http_status: answer.status,
    ...(test_status && { test_status }),
  });
}

/** Creates a test at the service. */
export async function requestTest(service: ServiceOptions): Promise<CreatedTest> {
  const answer = await callPatiently(service, 'POST', '/v1/tests');
  return expectBody(answer, 201, isCreatedTest);
}

/** Longest wait for a change that the service allows, in seconds. */
const WAIT_SECONDS = 30;

interface Standing {
  readonly status: TestStatus;
  readonly waited: boolean;
  /**
   * The position of the test in this response. The next request sends it, so that no replica responds with an
   * older state.
   */
  readonly position: string;
}

/** Returns the status of a test, after its next change or after `waitSeconds`. */
export async function readStatus(
  service: ServiceOptions,
  testId: string,
  waitSeconds = 0,
  position = '',
): Promise<Standing> {
  const seconds = Math.min(WAIT_SECONDS, Math.max(0, Math.ceil(waitSeconds)));
  const headers = {
    ...(seconds > 0 && { prefer: `wait=${seconds}` }),
    ...(position && { 'test-position': position }),
  };
  const answer = await callPatiently(service, 'GET', `/v1/tests/${testId}/status`, headers);
  return {
    status: expectBody(answer, 200, isTestStatus),
    waited: answer.headers.has('preference-applied'),
    position: answer.headers.get('test-position') ?? '',
  };
}
