import { defineCheck } from '../define-check.ts';

/** RFC 5322 §2.1.1, in octets without the line's end. */
const MAX_LINE_BYTES = 998;

const words = (id: string) => id.replaceAll('_', ' ');

export const fromHeader = defineCheck({
  id: 'from_header',
  subject: ({ headers }) => headers,
  ladder: [
    ['fail', ({ from }) => from.fault !== null],
    ['warn', ({ from }) => from.oddities.length > 0],
  ],
  detail: ({ from: { fault, oddities } }) =>
    fault !== null
      ? `${words(fault)}.`
      : oddities.length > 0
        ? `${oddities.map(words).join(', ')}.`
        : 'One valid mailbox.',
});

export const duplicateHeaders = defineCheck({
  id: 'duplicate_headers',
  subject: ({ headers }) => headers,
  ladder: [['fail', ({ duplicates }) => duplicates.length > 0]],
  detail: ({ duplicates }) =>
    duplicates.length > 0 ? `More than once: ${duplicates.join(', ')}.` : 'Each once.',
  values: ({ duplicates }) => ({ header: duplicates.join(', ') }),
});

export const mimeStructure = defineCheck({
  id: 'mime_structure',
  subject: ({ content }) => content,
  ladder: [
    ['fail', ({ structureFaults }) => structureFaults.some(({ severity }) => severity === 'fail')],
    ['warn', ({ structureFaults }) => structureFaults.length > 0],
  ],
  detail: ({ structureFaults }) =>
    structureFaults.length > 0
      ? `${structureFaults.map(({ id }) => words(id)).join(', ')}.`
      : 'Well formed.',
});

export const lineLength = defineCheck({
  id: 'line_length',
  subject: ({ headers }) => headers,
  ladder: [
    ['fail', ({ lines }) => lines.longestBytes > MAX_LINE_BYTES],
    ['info', ({ lines }) => lines.longHeaderLines],
  ],
  detail: ({ lines }) =>
    `Longest line: ${lines.longestBytes} octets; the limit is ${MAX_LINE_BYTES}.`,
  values: ({ lines }) => ({ part_type: lines.longestIn, n: lines.longestBytes }),
});

export const bareNewlines = defineCheck({
  id: 'bare_newlines',
  subject: ({ headers }) => headers,
  ladder: [['fail', ({ lines }) => lines.bareNewlines || lines.nul]],
  detail: ({ lines }) => {
    const found = [lines.bareNewlines ? 'bare CR or LF' : '', lines.nul ? 'NUL bytes' : ''];
    return `Found: ${found.filter(Boolean).join(', ') || 'only CRLF'}.`;
  },
});
