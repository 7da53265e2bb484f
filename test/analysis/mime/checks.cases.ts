/**
 * Cases for each state of the checks on the size, attachments, MIME structure, lines and charsets of an
 * email.
 */

import type { ContentFacts, Facts, HeaderFacts } from '../../../src/analysis/facts.ts';
import { unknown } from '../../../src/analysis/lookup-result.ts';
import type { Part } from '../../support/mail/facts.ts';
import type { Case } from '../case.ts';

const facts = (value: Part<ContentFacts>): Part<Facts> => ({ content: { value } });
const headers = (value: Part<HeaderFacts>): Part<Facts> => ({ headers: { value } });
const structure = (severity: 'fail' | 'warn' | 'info') =>
  facts({ structureFaults: [{ severity, id: 'html_before_plain' }] });
const MB = 1024 * 1024;
const attachment: ContentFacts['attachments'][number] = {
  index: 0,
  declared_type: 'application/pdf',
  detected_type: 'application/pdf',
  extension: 'pdf',
  size_bytes: 1000,
  encrypted: false,
  macros: false,
};
const attached = (severity: 'fail' | 'warn', kind = 'executable') =>
  facts({
    attachments: [attachment],
    attachmentFaults: [{ severity, extension: 'exe', kind }],
  });

export const mimeCases: readonly Case[] = [
  ['message_size', 'pass 0', { sizeBytes: MB }],
  ['message_size', 'info 0 suggest', { sizeBytes: MB + 1 }],
  ['message_size', 'info 0 suggest', { sizeBytes: 10 * MB }],
  ['message_size', 'warn 4', { sizeBytes: 10 * MB + 1 }],

  ['attachment_types', 'pass 0'],
  ['attachment_types', 'info 0', facts({ attachments: [attachment] })],
  ['attachment_types', 'warn 8', attached('warn')],
  ['attachment_types', 'fail 12', attached('fail', 'blocked_type')],
  ['attachment_types', 'fail 40', attached('fail')],

  ['mime_structure', 'pass 0'],
  ['mime_structure', 'info 0 suggest', structure('info')],
  ['mime_structure', 'warn 3', structure('warn')],
  ['mime_structure', 'fail 10', structure('fail')],
  ['mime_structure', 'unknown', { content: unknown('worker: no content part') }],

  ['line_length', 'pass 0', headers({ lines: { longestBytes: 998 } })],
  ['line_length', 'fail 6', headers({ lines: { longestBytes: 999 } })],
  ['line_length', 'info 0', headers({ lines: { longestHeaderBytes: 79 } })],

  ['bare_newlines', 'pass 0'],
  ['bare_newlines', 'fail 6', headers({ lines: { bareNewlines: true } })],
  ['bare_newlines', 'fail 6', headers({ lines: { nul: true } })],

  ['charset_declared', 'pass 0'],
  [
    'charset_declared',
    'warn 2',
    facts({ charsetFaults: [{ id: 'unknown_charset', type: 'text/plain', charset: 'unknown' }] }),
  ],
];
