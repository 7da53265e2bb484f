import { parseJson, readCapped } from '../../domain/answer-text.ts';

/** A facilitator's answers have a few hundred bytes. */
const MAX_ANSWER_BYTES = 64 * 1024;

export interface JsonAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * The JSON object that a request is answered with, at most 64 KiB of it: its server may be
 * broken or hostile.
 *
 * @throws when no answer comes in time; the text holds nothing of the answer
 */
export async function fetchJson(
  url: string,
  options: Pick<RequestInit, 'method' | 'headers' | 'body'>,
  milliseconds: number,
): Promise<JsonAnswer> {
  const signal = AbortSignal.timeout(Math.max(1, Math.floor(milliseconds)));
  const response = await fetch(url, { ...options, signal, redirect: 'error' });
  const body = parseJson(await readCapped(response, MAX_ANSWER_BYTES));
  if (typeof body !== 'object' || body === null) throw new TypeError('not an object');
  return { status: response.status, body: body as JsonAnswer['body'] };
}
