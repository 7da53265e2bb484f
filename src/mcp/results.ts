import type { CallToolResult } from '@modelcontextprotocol/server';
import { decodeHeader } from '../domain/x402-headers.ts';
import { describeProblem, problemOf, type ServiceAnswer } from './service-call.ts';

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
  not_found: 'The resource deliverability://findings lists all ids.',
  test_not_found: 'Create another test with create_test.',
  wrong_read_token: 'Use the read_token that create_test returned for this test.',
  report_not_ready: 'Call wait_for_result until the status is ready.',
  rate_limited: 'Wait, then call again.',
  creation_paused: 'Wait, then call again.',
  settlement_pending:
    'Call read_report again with the very same payment. Never sign a new one: it could be charged too.',
};

/** A problem in words, what to do about it, and its code for a program. */
export function explainedRefusal(text: string, code = ''): CallToolResult {
  const next = Object.hasOwn(NEXT, code) ? NEXT[code] : undefined;
  return {
    ...refusal([text, next].filter(Boolean).join(' ')),
    ...(code !== '' && { structuredContent: { error: { code, message: text } } }),
  };
}

/** A problem of the service as a tool's answer. */
export const problemResult = (answer: ServiceAnswer): CallToolResult =>
  explainedRefusal(describeProblem(answer), problemOf(answer).code);

/** What is paid for, as x402's MCP transport names it. */
const resourceOf = (tool: string) => `mcp://tool/${tool}`;

/**
 * A 402 as x402's MCP transport has it: the challenge as structured content, and the same as text; behind
 * it, what it means in words. What is said of HTTP in the challenge is left out.
 */
export function paymentResult(answer: ServiceAnswer, tool: string): CallToolResult {
  const sent = decodeHeader(answer.headers.get('payment-required') ?? '') ?? answer.body;
  const { extensions: _, resource, ...challenge } = (sent ?? {}) as Record<string, object>;
  const { title, code } = problemOf(answer);
  const error = title ?? 'A payment is required.';
  const content = {
    ...challenge,
    error:
      typeof challenge.error === 'string' && code === 'payment_invalid' ? challenge.error : error,
    resource: { ...resource, url: resourceOf(tool) },
  };
  const how = `Sign one of \`accepts\` and call ${tool} again with the payment in _meta["x402/payment"]. Ask the person first unless they allowed it.`;
  return {
    isError: true,
    structuredContent: content,
    content: [
      { type: 'text', text: JSON.stringify(content) },
      { type: 'text', text: `${error} ${how}` },
    ],
  };
}
