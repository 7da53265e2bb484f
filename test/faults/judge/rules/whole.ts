/**
 * Rules about a whole round: answered requests, documented responses, replicas that agree, recorded
 * transactions, and logs without secrets.
 */

import type { History, Violation } from '../history.ts';
import { TICK_MS } from './limits.ts';

const violation = (rule: string, text: string): Violation => ({ rule, testId: '', text });

/** Errors that a client may get in response to any call, and to any call about a test. */
const ANY_CALL = '429 rate_limited|503 (log_unavailable|too_many_connections)';
const ANY_TEST = `404 test_not_found|503 test_damaged|${ANY_CALL}`;

/** The responses that a client may get according to docs/http-api.md and docs/receiving.md, by its call. */
const DOCUMENTED: Readonly<Record<string, RegExp>> = {
  create: RegExp(`^(201|503 creation_paused|${ANY_CALL})$`),
  status: RegExp(`^(200|${ANY_TEST})$`),
  read: RegExp(
    `^(200|402 payment_(required|invalid)|400 invalid_request|403 wrong_read_token|409 (report_not_ready|sale_closed)|502 facilitator_unavailable|503 settlement_pending|${ANY_TEST})$`,
  ),
  delete: RegExp(`^(204|503 settlement_pending|${ANY_TEST})$`),
  mail: /^SMTP (250 2\.0\.0|421 4\.\d\.\d|45[0-4] 4\.\d\.\d|55[0-4] 5\.\d\.\d+)$/,
};

/** Every request has an end. Every response is a documented one, and says when to come again. */
export function answered({ answers, stuck, unlike }: History): readonly Violation[] {
  const seen = answers.filter(({ text }) => text !== 'no answer');
  return [
    ...stuck.map((one) => violation('answered', `${one} has no end`)),
    ...unlike.map((one) => violation('alike', one)),
    ...seen
      .filter(({ call, text }) => !DOCUMENTED[call]?.test(text))
      .map(({ call, text, replica }) => violation('answered', `${call} at ${replica}: ${text}`)),
    ...seen
      .filter(({ text, isPatient }) => /^(429|50[23])/.test(text) && !isPatient)
      .map(({ call, text }) => violation('answered', `${call}: ${text} without Retry-After`)),
  ];
}

/** A transaction is in the log before anyone else sees it. */
export function signedFirst({ broadcasts, payments }: History): readonly Violation[] {
  const signed = new Map<string, number>();
  for (const { event, time } of payments)
    if (event.type === 'TransactionSigned' && !signed.has(event.data.transaction))
      signed.set(event.data.transaction, time);
  return broadcasts
    .filter(({ transaction, time }) => !((signed.get(transaction) ?? Infinity) <= time + TICK_MS))
    .map(({ transaction }) =>
      violation('signedFirst', `${transaction} was sent before it was stored`),
    );
}

/** No log shows a token, a key, or any part of an email. */
export function silent({ lines, secrets }: History): readonly Violation[] {
  return secrets.flatMap((secret) => {
    const line = lines.find((one) => one.includes(secret));
    return line ? [violation('silent', `a log shows a secret: ${line.slice(0, 200)}`)] : [];
  });
}
