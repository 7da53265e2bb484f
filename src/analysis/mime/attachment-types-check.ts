/** The check of the types of attachments. */

import { check } from '../check.ts';
import { asSeen } from '../definition.ts';
import type { ContentFacts } from '../facts.ts';
import { formatCountUpTo, formatId } from '../format.ts';
import { BLOCKED_TYPE } from './attachments.ts';
import type { MimeFacts } from './facts.ts';

type AttachmentFault = MimeFacts['attachmentFaults'][number];

const worst = ({ attachmentFaults }: ContentFacts): AttachmentFault | undefined =>
  attachmentFaults.find(({ severity }) => severity === 'fail') ?? attachmentFaults[0];

export const attachmentTypes = check({
  id: 'attachment_types',
  family: 'attach',
  title: 'Attachments',
  source:
    'Gmail blocked types; Microsoft 365 common attachments filter, default file types; rspamd MIME_BAD_EXTENSION, PDF_JAVASCRIPT',
  about: {
    what: 'Files of kinds that can carry a virus: programs, scripts, macros, locked archives.',
    why: 'Gmail and Microsoft refuse many of them outright.',
    how: ['Put the file on a server and link to it.', 'Send documents as PDF.'],
    bad: 'invoice.zip (locked), report.docm',
    good: 'report.pdf',
  },
  subject: ({ content }) => content,
  states: ({ fail, warn, info, pass }) => ({
    dangerous: fail(40, 39).when(
      'executable, script or shortcut by magic bytes or name, double extension, direction override in the name, macro document, HTML or SVG with script, HTML that opens another page or asks for a password, a PDF that runs something when it is opened',
      (value) => worst(value)?.severity === 'fail' && worst(value)?.kind !== BLOCKED_TYPE,
    ),
    blocked_by_default: fail(12).when(
      'a type that Microsoft 365 takes for malware by default and others let pass (ace, arj, lzh, xz, z, deb, …), by name or magic bytes',
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
      ({ kind, extension }) => `${formatId(kind)}${extension === null ? '' : ` (.${extension})`}`,
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
    why: 'Many receivers block a {file} ({kind}).',
    do: 'Put it on a server and link to it.',
  },
  fixes: {
    encrypted: {
      why: 'Filters cannot look into encrypted archives and distrust them.',
      do: 'Send the file unencrypted, or put it on a server and link to it.',
    },
    nested_archive: {
      why: 'Filters distrust archives within archives.',
      do: 'Send the inner one alone.',
    },
    html_file: {
      why: 'Attached HTML files are a common way of phishing.',
      do: 'Put the content in the mail, or link to a page.',
    },
    html_leading_away: {
      why: 'An attached HTML file opens another page or asks for a password, as phishing does.',
      do: 'Remove the file, and link to the page in the text.',
    },
    type_mismatch: {
      why: 'The content of the {file} does not fit its extension.',
      do: 'Name the file by what it is.',
    },
    macro_document: {
      why: 'Many receivers block documents with macros.',
      do: 'Save it without them, or put it on a server and link to it.',
    },
    direction_override: {
      why: 'The name of the file holds an invisible character that turns letters around, as malware does.',
      do: 'Remove it.',
    },
    pdf_script: {
      why: 'A PDF runs a script or a program when it is opened, and filters take it for an attack.',
      do: 'Print the document to a new PDF, which leaves actions out.',
    },
    pdf_fields: {
      why: 'A PDF holds scripts, which filters distrust.',
      do: 'Link to the form on your website, or print it to a new PDF.',
    },
    blocked_type: {
      why: 'Microsoft 365 takes a {file} for malware by default, whatever it holds.',
      do: 'Send it as a .zip file or on its own, or put it on a server and link to it.',
    },
  },
  // The kinds are the catalogue's cases.
  cases: (value) => asSeen(worst(value)?.kind ?? ''),
  values: (value) => {
    const fault = worst(value);
    return {
      file: fault?.extension ? `.${fault.extension} file` : 'file',
      kind: formatId(fault?.kind ?? ''),
    };
  },
});
