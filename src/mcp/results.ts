/**
 * Builds the results of the MCP tools. No tool has an output schema, because many clients also apply it to
 * refusals and challenges.
 */

import type { CallToolResult } from '@modelcontextprotocol/server';
import type { SettlementResponse } from '../domain/x402.ts';
import { decodeHeader } from '../domain/x402-headers.ts';
import { describeProblem, problemOf, type ServiceAnswer } from './service-call.ts';

/** The member in which x402's MCP transport carries the payment, and its name in texts. */
export const PAYMENT = 'x402/payment';
export const PAYMENT_MEMBER = `_meta["${PAYMENT}"]`;

/** Returns the result of a tool: text for the model, and the same content as data for programs. */
export const dataResult = (text: string, data: object): CallToolResult => ({
  ...textResult(text),
  structuredContent: data as Record<string, unknown>,
});

/** Returns a small response of the API, as text and as data. */
export const jsonResult = (data: object): CallToolResult => dataResult(JSON.stringify(data), data);

/**
 * Returns a document that is too long to be sent twice: JSON as text, which every client shows to its model.
 */
export const documentResult = (data: object): CallToolResult => textResult(JSON.stringify(data));

const textResult = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });

/** Advice on the next step, for each problem that a caller of the tools can encounter. */
const NEXT: Readonly<Record<string, string>> = {
  not_found: 'The resource deliverability://findings lists all ids.',
  test_not_found: 'Create another test with create_test.',
  wrong_read_token: 'Use the read_token that create_test returned for this test.',
  sale_closed: 'Create another test with create_test, and send the email again.',
  report_not_ready: 'Call wait_for_result until the status is ready.',
  service_unreachable: 'Call again in a minute.',
  settlement_pending:
    'Call read_report again with the very same payment. Never sign a new one: it could be charged too.',
};

/**
 * Returns a refusal: what is wrong and what to do, for the model to act on, and its code for programs.
 *
 * @param seconds the wait before the next call
 */
export function refusal(code: string, message: string, seconds?: number): CallToolResult {
  const next = Object.hasOwn(NEXT, code) ? NEXT[code] : undefined;
  const wait = seconds && `Wait ${seconds} seconds, then call again.`;
  const error = { code, message, ...(seconds && { retry_after_seconds: seconds }) };
  return {
    isError: true,
    ...dataResult([message, next, wait].filter(Boolean).join(' '), { error }),
  };
}

/**
 * Codes of errors that are thrown to be shown to the caller. The codes of Node.js's own errors do not match:
 * they are in capitals, or are numbers.
 */
const OUR_CODE = /^[a-z_]+$/;

/**
 * Returns the tool result for a thrown error. The error's own message is used if it was thrown to be shown.
 */
export function refusalOf(error: unknown): CallToolResult {
  const { message = '', code } = error as { readonly message?: string; readonly code?: unknown };
  return typeof code === 'string' && OUR_CODE.test(code)
    ? refusal(code, message)
    : refusal('service_unreachable', 'The service cannot be reached at the moment.');
}

/** Returns a problem of the service as the result of a tool. */
export function problemResult(answer: ServiceAnswer): CallToolResult {
  const seconds = Number(answer.headers.get('retry-after') ?? 0);
  return refusal(problemOf(answer).code ?? 'service_unreachable', inWords(answer), seconds);
}

/**
 * Says what went wrong, in the service's words. The name of the HTTP header is replaced by the member in
 * which MCP carries the payment.
 */
const inWords = (answer: ServiceAnswer): string =>
  describeProblem(answer).replaceAll('PAYMENT-SIGNATURE', PAYMENT_MEMBER);

/** The member in which MCP carries the receipt. */
const RECEIPT = 'x402/payment-response';

/**
 * The member of `_meta` in which the clients of Cloudflare's agents look for the challenge. They look nowhere
 * else.
 */
const CHALLENGE = 'x402/error';

/** Adds the receipt to a result, if there is one. */
export function withReceipt(
  result: CallToolResult,
  receipt: SettlementResponse | undefined,
): CallToolResult {
  return receipt ? { ...result, _meta: { ...result._meta, [RECEIPT]: receipt } } : result;
}

/**
 * Returns the receipt of a successful payment, or of one that failed for good, if a response contains one.
 */
export const receiptOf = ({ headers }: ServiceAnswer): SettlementResponse | undefined =>
  decodeHeader(headers.get('payment-response') ?? '') as SettlementResponse | undefined;

/**
 * Returns a 402 in the form of x402's MCP transport: the challenge as structured content, and again as text.
 * A second text explains it. The parts of the challenge that are about HTTP are left out.
 */
export function paymentResult(answer: ServiceAnswer, tool: string): CallToolResult {
  const sent = decodeHeader(answer.headers.get('payment-required') ?? '') ?? answer.body;
  const { extensions: _, resource, ...challenge } = (sent ?? {}) as Record<string, object>;
  const { title = 'A payment is required.', code = 'payment_required' } = problemOf(answer);
  const isFirst = code === 'payment_required';
  const content = {
    ...challenge,
    code,
    error: isFirst ? title : (challenge.error ?? title),
    resource: { ...resource, url: `mcp://tool/${tool}` },
  };
  const why = isFirst ? `${title} (${code})` : inWords(answer);
  const how = `Sign one of \`accepts\` and call ${tool} again with the payment in ${PAYMENT_MEMBER}. Ask the user first, unless the user has already allowed it.`;
  const result = {
    isError: true,
    structuredContent: content,
    content: [
      { type: 'text' as const, text: JSON.stringify(content) },
      { type: 'text' as const, text: `${why} ${how}` },
    ],
    _meta: { [CHALLENGE]: content },
  };
  return withReceipt(result, receiptOf(answer));
}
