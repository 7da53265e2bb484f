/** The check for attachments of types that receivers block or distrust. */

import { check } from '../check.ts';
import { asSeen } from '../definition.ts';
import type { ContentFacts } from '../facts.ts';
import { formatCountUpTo, formatId } from '../format.ts';
import { BLOCKED_TYPE } from './attachments.ts';
import type { MimeFacts } from './facts.ts';

type AttachmentFault = MimeFacts['attachmentFaults'][number];

const worst = ({ attachmentFaults }: ContentFacts): AttachmentFault | undefined =>
  attachmentFaults.find(({ severity }) => severity === 'fail') ?? attachmentFaults[0];

/** Words for the kinds of faults whose ids do not explain themselves. */
const KINDS: Readonly<Record<string, string>> = {
  direction_override: 'a name in reversed letters',
  double_extension: 'a double extension',
  executable_in_archive: 'a program in an archive',
  html_leading_away: 'HTML that opens another page',
  html_script: 'HTML with a script',
  macro_document: 'a document with macros',
  nested_archive: 'an archive within an archive',
  pdf_fields: 'a PDF with scripts',
  pdf_script: 'a PDF that runs something when opened',
  svg_script: 'SVG with a script',
  type_mismatch: 'content of another type',
};

const wordsFor = (kind: string): string => KINDS[kind] ?? formatId(kind);

export const attachmentTypes = check({
  id: 'attachment_types',
  family: 'attach',
  title: 'Attachments',
  source:
    'Gmail blocked types; Microsoft 365 common attachments filter, default file types; rspamd MIME_BAD_EXTENSION, PDF_JAVASCRIPT',
  about: {
    what: 'Some kinds of files can carry a virus: programs, scripts, macros, encrypted archives.',
    why: 'Gmail and Microsoft refuse many of them outright.',
    how: ['Put the file on a server and link to it.', 'Send documents as PDF.'],
    bad: 'invoice.zip (encrypted), report.docm',
    good: 'report.pdf',
  },
  subject: ({ content }) => content,
  states: ({ fail, warn, info, pass }) => ({
    dangerous: fail(40, 39).when(
      'executable, script or shortcut by magic bytes or name, double extension, direction override in the name, macro document, HTML or SVG with script, HTML that opens another page or asks for a password, a PDF that runs something when opened',
      (value) => worst(value)?.severity === 'fail' && worst(value)?.kind !== BLOCKED_TYPE,
    ),
    blocked_by_default: fail(12).when(
      'a type that Microsoft 365 treats as malware by default and others let pass (ace, arj, lzh, xz, z, deb, …), by name or magic bytes',
      (value) => worst(value)?.severity === 'fail',
    ),
    doubtful: warn(8).when(
      'encrypted or nested archive, .html, type/extension mismatch, a PDF with scripts in its fields',
      (value) => worst(value)?.severity === 'warn',
    ),
    harmless: info.when('other attachments', ({ attachments }) => attachments.length > 0),
    none: pass('none'),
  }),
  detail: ({ attachments, attachmentFaults, mime }) => {
    const kinds = attachmentFaults.map(
      ({ kind, extension }) => `${wordsFor(kind)}${extension === null ? '' : ` (.${extension})`}`,
    );
    const types = attachments.map(
      ({ detected_type, declared_type }) => detected_type ?? declared_type,
    );
    const found = [...new Set(kinds.length > 0 ? kinds : types)].join(', ');
    const isCut = mime.defects.includes('too_many_parts');
    return `${formatCountUpTo(attachments.length, 'attachment', isCut)}${found && `: ${found}`}.`;
  },
  evidence: ({ attachments, attachmentFaults }) => ({
    attachments: attachments.length,
    faults: attachmentFaults.map(({ kind }) => kind),
  }),
  fix: {
    why: 'Many receivers block emails with a {file} ({kind}) attached.',
    do: 'Put the file on a server and link to it.',
  },
  fixes: {
    encrypted: {
      why: 'Filters cannot look into encrypted archives, so they distrust them.',
      do: 'Send the file unencrypted, or put it on a server and link to it.',
    },
    nested_archive: {
      why: 'Filters distrust archives within archives.',
      do: 'Send the inner archive on its own.',
    },
    html_file: {
      why: 'Attached HTML files are common in phishing.',
      do: 'Put the content in the email, or link to a page.',
    },
    html_leading_away: {
      why: 'An attached HTML file opens another page or asks for a password, as phishing does.',
      do: 'Remove the file, and link to the page in the text.',
    },
    type_mismatch: {
      why: 'The content of the {file} does not match its extension.',
      do: 'Give the file the extension of its real type.',
    },
    macro_document: {
      why: 'Many receivers block documents with macros.',
      do: 'Save the document without macros, or put it on a server and link to it.',
    },
    direction_override: {
      why: 'The name of the file contains an invisible character that reverses the order of letters, as in malware.',
      do: 'Remove that character from the name.',
    },
    pdf_script: {
      why: 'A PDF runs a script or a program when it is opened, and filters treat that as an attack.',
      do: 'Print the document to a new PDF, which removes such actions.',
    },
    pdf_fields: {
      why: 'A PDF contains scripts, which filters distrust.',
      do: 'Link to the form on your website, or print it to a new PDF.',
    },
    blocked_type: {
      why: 'Microsoft 365 treats a {file} as malware by default, whatever it contains.',
      do: 'Send the contents as a .zip file or without an archive, or put the file on a server and link to it.',
    },
  },
  // The kind of a fault is also the name of its case in the fixes.
  cases: (value) => asSeen(worst(value)?.kind ?? ''),
  values: (value) => {
    const fault = worst(value);
    return {
      file: fault?.extension ? `.${fault.extension} file` : 'file',
      kind: wordsFor(fault?.kind ?? ''),
    };
  },
});
