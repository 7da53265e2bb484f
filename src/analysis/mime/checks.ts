import { defineCheck } from '../define-check.ts';
import { formatId, formatList } from '../format.ts';
import { isProviders } from '../names/provider-domain.ts';

/** RFC 5322 §2.1.1, in octets without the line's end. */
const MAX_LINE_BYTES = 998;
const GOOD_HEADER_BYTES = 78;

const FROM_FAULTS: Readonly<Record<string, string>> = {
  missing: 'no From header',
  several_fields: 'more than one From header',
  too_large: 'a From header too large to read',
  too_many_addresses: 'too many addresses to read',
  unparsable: 'an address that cannot be read',
  no_address: 'no address',
  several_authors: 'several authors and no Sender',
  authors: 'several authors; Gmail takes one',
  comment_address: 'an address in a comment',
  raw_8bit: 'raw non-ASCII text',
  no_dot: 'a domain without a dot',
  dot_at_end: 'a dot at the end of the domain',
  route: 'an obsolete route before the address',
  group: 'a group instead of an address',
};

export const fromHeader = defineCheck({
  id: 'from_header',
  subject: ({ headers }) => headers,
  ladder: [
    ['fail', ({ from }) => from.fault !== null],
    ['fail', ({ from }) => from.oddities.includes('authors')],
    ['warn', ({ from }) => from.oddities.length > 0],
  ],
  detail: ({ from: { fault, oddities } }) => {
    const found = fault !== null ? [fault] : oddities;
    return found.length > 0
      ? `Found: ${found.map((id) => FROM_FAULTS[id] ?? formatId(id)).join(', ')}.`
      : 'One valid mailbox.';
  },
  // The faults are the catalogue's cases.
  fixes: ({ from: { fault, oddities } }) => (fault !== null ? [fault] : oddities),
  // Where From names no domain, the envelope's is the best there is to say.
  values: (_, { names: { fromDomain, envelopeDomain } }) =>
    fromDomain === null && envelopeDomain !== '' && !isProviders(envelopeDomain)
      ? { from_domain: envelopeDomain }
      : {},
});

export const duplicateHeaders = defineCheck({
  id: 'duplicate_headers',
  subject: ({ headers }) => headers,
  ladder: [['fail', ({ duplicates }) => duplicates.length > 0]],
  detail: ({ duplicates }) =>
    duplicates.length > 0 ? `More than once: ${duplicates.join(', ')}.` : 'Each once.',
  values: ({ duplicates }) => ({ header: formatList(duplicates) }),
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
});

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
