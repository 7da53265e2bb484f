/**
 * Sends JSON-RPC requests to a node: limits their time and the size of the response, tells an error of the
 * node from a response that is no answer, and tries once more where that can help.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { BaseError, custom, HttpRequestError, RpcRequestError } from 'viem';
import { parseJson, readCapped } from '../../domain/response-body.ts';

/** Time limit for one attempt, in milliseconds. If a second attempt fails too, there is no answer. */
const REQUEST_MS = 5_000;

/** Maximum size of a response, in bytes. A block with all its hashes has about 100 kB. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/**
 * Pause before a second attempt, in milliseconds: after a failure, and after a refusal for too many requests,
 * because most plans count requests per second.
 */
const PAUSE_MS = 100;
const LIMITED_PAUSE_MS = 1_000;

/** Longest `Retry-After` after which a second attempt is made, in seconds. Nobody waits for a longer one. */
const LONGEST_RETRY_AFTER = 2;

/** The code with which a node reports an internal error. It is often gone a moment later. */
const INTERNAL_ERROR = -32_603;

/**
 * HTTP statuses with which providers refuse further requests, whatever the body says. Infura responds with 402
 * when a day's credits are used up.
 */
const LIMITS = [402, 429];

/**
 * HTTP statuses that say that no node has answered, whatever the body says: gateways send an error of their
 * own with them, for example dRPC's free plan with 408, and proxyd, which serves Base, with 503.
 */
const NO_ANSWERS = [...LIMITS, 408, 502, 503, 504];

/** The words with which providers refuse further requests, for a second, a day or a month. */
const LIMITED =
  /too many requests|rate.?limit|limit reached|usage limit|request (count|rate)|\brps\b|compute units|capacity|credits|quota|throttl|^limit exceeded|timeout on the free tier/i;

/** The words with which providers refuse one query, because of its range of blocks or its results. */
const TOO_LARGE = /\b(block|range|result)s?\b/i;

/** The error for a response that contains neither a result nor an error. */
class NoResultError extends Error {
  override readonly name = 'no result in the response';
}

/** The error for a URL that redirects: most redirects turn a request into a GET. */
class RedirectError extends Error {
  override readonly name = 'redirected to another URL';
}

/** Returns the node's own error, or the failed HTTP response, behind an error; `undefined` if there is neither. */
export function nodeErrorOf(error: unknown): RpcRequestError | HttpRequestError | undefined {
  if (!(error instanceof BaseError)) return undefined;
  const found = error.walk(
    (one) => one instanceof RpcRequestError || one instanceof HttpRequestError,
  );
  return found instanceof RpcRequestError || found instanceof HttpRequestError ? found : undefined;
}

/**
 * Returns whether the node refused because of too many requests. Providers use many codes for that, and some
 * of those codes for queries that are too large too, so the words decide.
 */
export function isRateLimit(error: unknown): boolean {
  const refusal = nodeErrorOf(error);
  if (refusal instanceof HttpRequestError) return LIMITS.includes(refusal.status ?? 0);
  if (!refusal) return false;
  return (
    refusal.code === 429 || (LIMITED.test(refusal.details) && !TOO_LARGE.test(refusal.details))
  );
}

/** Creates the transport of a viem client for the node at this URL. */
export function nodeTransport(rpcUrl: string) {
  const { url, headers } = readUrl(rpcUrl);

  async function ask(call: { readonly method: string; readonly params?: unknown }) {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...call }),
      signal: AbortSignal.timeout(REQUEST_MS),
    });
    const { status } = response;
    const text = await readCapped(response, MAX_ANSWER_BYTES);
    const answer = Object(parseJson(text)) as Readonly<Record<string, unknown>>;
    const error = readError(answer);
    if (error && !NO_ANSWERS.includes(status))
      throw new RpcRequestError({ body: {}, error, url: '' });
    if (!response.ok && response.redirected) throw new RedirectError();
    if (!response.ok) throw new HttpRequestError({ status, headers: response.headers, url: '' });
    if (answer.result === undefined) throw new NoResultError();
    return answer.result;
  }

  return custom(
    {
      async request(call) {
        try {
          return await ask(call);
        } catch (error) {
          const pause = pauseAfter(error);
          if (pause === undefined) throw error;
          await delay(pause);
          return ask(call);
        }
      },
    },
    { retryCount: 0 },
  );
}

/** Returns the URL without a user and password, which `fetch` would refuse, and the headers that carry them. */
function readUrl(rpcUrl: string) {
  const url = new URL(rpcUrl);
  const { username, password } = url;
  url.username = '';
  url.password = '';
  const pair = [username, password].map(decodeURIComponent).join(':');
  const authorization = `Basic ${Buffer.from(pair).toString('base64')}`;
  const headers = { 'content-type': 'application/json', ...(username && { authorization }) };
  return { url: url.href, headers };
}

/** Returns the error in a response, or `undefined` if it has none. Some gateways send the error alone. */
function readError(answer: Readonly<Record<string, unknown>>) {
  const { code, message, data } = Object(answer.error ?? answer) as typeof answer;
  if ('result' in answer && answer.error == null) return undefined;
  if (typeof message !== 'string' || !Number.isInteger(Number(code))) return undefined;
  return { code: Number(code), message, data };
}

/** Returns the pause before a second attempt in milliseconds, or `undefined` if none is made. */
function pauseAfter(error: unknown): number | undefined {
  const refusal = nodeErrorOf(error);
  if (isRateLimit(error)) {
    if (!(refusal instanceof HttpRequestError)) return LIMITED_PAUSE_MS;
    if (refusal.status === 402) return undefined;
    const header = refusal.headers?.get('retry-after');
    if (!header) return LIMITED_PAUSE_MS;
    return Number(header) <= LONGEST_RETRY_AFTER ? Number(header) * 1000 : undefined;
  }
  if (refusal instanceof RpcRequestError)
    return refusal.code === INTERNAL_ERROR ? PAUSE_MS : undefined;
  const status = refusal?.status ?? 500;
  return status >= 500 || status === 408 ? PAUSE_MS : undefined;
}
