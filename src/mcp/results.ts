import type { CallToolResult } from '@modelcontextprotocol/server';
import { decodeHeader } from '../domain/x402-headers.ts';
import { describeProblem, type ServiceAnswer } from './service-call.ts';

/** What a tool answers with: text for the model, and the same as data. */
export const dataResult = (text: string, data: object): CallToolResult => ({
  content: [{ type: 'text', text }],
  structuredContent: data as Record<string, unknown>,
});

export const jsonResult = (data: object): CallToolResult =>
  dataResult(JSON.stringify(data, null, 1), data);

/** A refusal: what is wrong and what to do, for the model to act on. */
export const refusal = (text: string): CallToolResult => ({
  isError: true,
  content: [{ type: 'text', text }],
});

/** What to do about the problems that a caller of the tools can meet. */
const NEXT: Readonly<Record<string, string>> = {
  test_not_found: 'Create another test with create_test.',
  wrong_read_token: 'Use the read_token that create_test returned for this test.',
  report_not_ready: 'Call wait_for_result until the status is ready.',
  rate_limited: 'Wait, then call again.',
  creation_paused: 'Wait, then call again.',
  settlement_pending:
    'Call read_report again with the very same payment. Never sign a new one: it could be charged too.',
};

/** A problem in the service's words, which end with its code, and what to do about it. */
export function explainedRefusal(text: string): CallToolResult {
  const [, code = ''] = /\((\w+)\)\.?$/.exec(text) ?? [];
  const next = Object.hasOwn(NEXT, code) ? NEXT[code] : undefined;
  return refusal([text, next].filter(Boolean).join(' '));
}

/** A problem of the service as a tool's answer. */
export const problemResult = (answer: ServiceAnswer): CallToolResult =>
  explainedRefusal(describeProblem(answer));

/**
 * A 402 as x402's MCP transport has it: the challenge as structured content, and the same as text; behind
 * it, what it means in words.
 */
export function paymentResult(answer: ServiceAnswer, how: string): CallToolResult {
  const sent = decodeHeader(answer.headers.get('payment-required') ?? '') ?? answer.body;
  const challenge = { error: describeProblem(answer), ...(sent as object) };
  return {
    isError: true,
    structuredContent: challenge,
    content: [
      { type: 'text', text: JSON.stringify(challenge) },
      { type: 'text', text: `${describeProblem(answer)} ${how}` },
    ],
  };
}
