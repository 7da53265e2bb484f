import { headerStep } from '../advice/actions.ts';
import { defineCheck } from '../define-check.ts';
import { formatCountUpTo, formatId } from '../format.ts';
import { known } from '../lookup-result.ts';
import type { CharsetFault, ContentFacts } from '../mail-facts.ts';
import { BLOCKED_TYPE } from './attachments.ts';

const MB = 1024 * 1024;

/** The smallest limits of common mail servers, in bytes. */
const LARGE_BYTES = 10 * MB;
const NOTABLE_BYTES = MB;

export const messageSize = defineCheck({
  id: 'message_size',
  subject: ({ sizeBytes }) => known(sizeBytes),
  ladder: [
    ['warn', (bytes) => bytes > LARGE_BYTES],
    ['info', (bytes) => bytes > NOTABLE_BYTES],
  ],
  detail: (bytes) => `${bytes} bytes; many servers take ${LARGE_BYTES} at most.`,
});

export const mimeStructure = defineCheck({
  id: 'mime_structure',
  subject: ({ content }) => content,
  ladder: [
    ['fail', ({ structureFaults }) => structureFaults.some(({ severity }) => severity === 'fail')],
    ['warn', ({ structureFaults }) => structureFaults.some(({ severity }) => severity === 'warn')],
    ['info', ({ structureFaults }) => structureFaults.length > 0],
  ],
  detail: ({ structureFaults }) =>
    structureFaults.length > 0
      ? `${structureFaults.map(({ id }) => formatId(id)).join(', ')}.`
      : 'Well formed.',
  fixes: ({ structureFaults }) => structureFaults.map(({ id }) => id),
  steps: (_, __, name) =>
    VERSION_FAULTS.includes(name) ? [headerStep('MIME-Version', '1.0')] : undefined,
});

const VERSION_FAULTS: readonly string[] = ['missing_mime_version', 'odd_mime_version'];

/** RFC 5322 §2.1.1, in octets without the line's end. */
const MAX_LINE_BYTES = 998;
const GOOD_HEADER_BYTES = 78;

export const lineLength = defineCheck({
  id: 'line_length',
  subject: ({ headers }) => headers,
  ladder: [
    ['fail', ({ lines }) => lines.longestBytes > MAX_LINE_BYTES],
    ['info', ({ lines }) => lines.longHeaderLines],
  ],
  detail: ({ lines }) => {
    const whole = `Longest line: ${lines.longestBytes} octets; the limit is ${MAX_LINE_BYTES}.`;
    const header = `Of the header: ${lines.longestHeaderBytes}; ${GOOD_HEADER_BYTES} are recommended.`;
    return lines.longHeaderLines ? `${whole} ${header}` : whole;
  },
  fixes: ({ lines }) => (lines.longestHeaderBytes === lines.longestBytes ? ['header'] : []),
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
  fixes: ({ lines }) => [...(lines.bareNewlines ? ['newline'] : []), ...(lines.nul ? ['nul'] : [])],
});

export const charsetDeclared = defineCheck({
  id: 'charset_declared',
  subject: ({ content }) => content,
  ladder: [['warn', ({ charsetFaults }) => charsetFaults.length > 0]],
  detail: ({ charsetFaults }) =>
    charsetFaults.length > 0
      ? `${[...new Set(charsetFaults.map(formatCharsetFault))].join('; ')}.`
      : 'Declared.',
  fixes: ({ charsetFaults: [fault] }) => (fault ? [fault.id] : []),
  values: ({ charsetFaults: [fault] }) => ({
    type: fault?.type ?? 'text/html',
    charset: fault?.charset ?? 'unknown',
  }),
});

const formatCharsetFault = ({ id, type, charset }: CharsetFault): string =>
  `${type}${charset === null ? '' : `; charset=${charset}`}: ${formatId(id)}`;

type AttachmentFault = ContentFacts['attachmentFaults'][number];

const worst = ({ attachmentFaults }: ContentFacts): AttachmentFault | undefined =>
  attachmentFaults.find(({ severity }) => severity === 'fail') ?? attachmentFaults[0];

export const attachmentTypes = defineCheck({
  id: 'attachment_types',
  subject: ({ content }) => content,
  ladder: [
    ['fail', (value) => worst(value)?.severity === 'fail' && worst(value)?.kind !== BLOCKED_TYPE],
    ['fail', (value) => worst(value)?.severity === 'fail'],
    ['warn', (value) => worst(value)?.severity === 'warn'],
    ['info', ({ attachments }) => attachments.length > 0],
  ],
  detail: ({ attachments, attachmentFaults, mime }) => {
    const kinds = attachmentFaults.map(
      ({ kind, extension }) => `${formatId(kind)}${extension === null ? '' : ` (.${extension})`}`,
    );
    const types = attachments.map(
      ({ detected_type, declared_type }) => detected_type ?? declared_type,
    );
    const found = [...new Set(kinds.length > 0 ? kinds : types)].join(', ');
    const isCut = mime.defects.includes('too_many_parts');
    return `${formatCountUpTo(attachments.length, 'attachment', isCut)}${found && `: ${found}`}.`;
  },
  // The kinds are the catalogue's cases.
  fixes: (value) => [worst(value)?.kind ?? ''],
  values: (value) => {
    const fault = worst(value);
    return {
      file: fault?.extension ? `.${fault.extension} file` : 'file',
      kind: formatId(fault?.kind ?? ''),
    };
  },
});
