/**
 * Declares how the MCP tools and the command call the HTTP API, describes its error responses in words, and
 * waits for a change of a test's status.
 */

/** A response of the service's HTTP API. */
export interface ServiceAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON; `undefined` if it is not JSON. */
  readonly body: unknown;
}

/**
 * Sends one request to the HTTP API, over the network or inside the service itself. Throws only if no
 * response comes.
 */
export type ServiceCall = (
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  headers?: Readonly<Record<string, string>>,
) => Promise<ServiceAnswer>;

/** The members of a problem document (RFC 9457) that we use. */
interface ProblemMembers {
  readonly title?: string;
  readonly detail?: string;
  readonly code?: string;
  readonly test_status?: string;
}

/** Returns the members of a problem document. They are missing if the response is not one. */
export const problemOf = ({ body }: ServiceAnswer): ProblemMembers =>
  Object.fromEntries(Object.entries(body ?? {}).filter(([, value]) => typeof value === 'string'));

/** Says what went wrong, in the service's own words. */
export function describeProblem(answer: ServiceAnswer): string {
  const { title, detail, code } = problemOf(answer);
  if (title === undefined) return `The service responded with status ${answer.status}.`;
  return [title, detail, code && `(${code})`].filter(Boolean).join(' ');
}

/** Longest wait that the service allows for one status request, in seconds. */
const GRANTED_SECONDS = 30;

/**
 * Waits for the next change of a test's status and returns it. For a test that has already ended, the
 * response comes immediately.
 */
export async function waitForChange(
  call: ServiceCall,
  testId: string,
  seconds: number,
): Promise<ServiceAnswer> {
  const path = `/v1/tests/${testId}/status`;
  const first = Math.min(seconds, GRANTED_SECONDS);
  const answer = await call('GET', path, first > 0 ? { prefer: `wait=${first}` } : {});
  const { status } = (answer.body ?? {}) as { readonly status?: unknown };
  const rest = seconds - first;
  if (rest <= 0 || answer.status !== 200 || status !== 'waiting') return answer;
  const seen = answer.headers.get('test-position') ?? '0';
  return call('GET', path, { prefer: `wait=${rest}`, 'test-position': seen });
}
