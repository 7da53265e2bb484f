/** The checks of an email's size and MIME structure. */

import { headerStep } from '../advice/actions.ts';
import { BLANK_LINE } from '../advice/fix.ts';
import { check } from '../check.ts';
import { asSeen } from '../definition.ts';
import { formatId, formatList } from '../format.ts';
import { known } from '../lookup-result.ts';
import { DEEP, MAX_BASE64_LINE } from './report.ts';

const MB = 1024 * 1024;

/** The smallest limits of common mail servers, in bytes. */
const LARGE_BYTES = 10 * MB;

const NOTABLE_BYTES = MB;

export const messageSize = check({
  id: 'message_size',
  family: 'body',
  title: 'Message size',
  source: 'common MX limits 10-25 MB',
  about: {
    what: 'The size of the whole mail with its files.',
    why: 'Many servers refuse mail above 10 to 25 MB, and large mail is slow on phones.',
    how: ['Put files on a server and link to them.', 'Make pictures smaller before you send them.'],
    bad: '18 MB',
    good: '200 KB',
  },
  subject: ({ sizeBytes }) => known(sizeBytes),
  states: ({ warn, suggest, pass }) => ({
    too_large: warn(4).when(`> ${LARGE_BYTES / MB} MB`, (bytes) => bytes > LARGE_BYTES),
    large: suggest.when(`> ${NOTABLE_BYTES / MB} MB`, (bytes) => bytes > NOTABLE_BYTES),
    small: pass('small'),
  }),
  detail: (bytes) => `${bytes} bytes; many servers take ${LARGE_BYTES} at most.`,
  evidence: (bytes) => ({ bytes, limit: LARGE_BYTES }),
  fix: {
    why: 'Many mail servers refuse large mail.',
    do: 'Link to files instead of attaching them.',
  },
});

export const mimeStructure = check({
  id: 'mime_structure',
  family: 'structure',
  title: 'MIME structure',
  source:
    'RFC 2045 §4, §6; RFC 2046 §5.1.4; SpamAssassin BASE64_LENGTH_79_INF; rspamd BROKEN_HEADERS, CTYPE_MISSING_DISPOSITION',
  about: {
    what: 'A mail with text, HTML and files is a tree of parts.',
    why: 'If a part is missing or not closed, some programs show nothing, or the raw code.',
    how: [
      'Build mails with a mail library, not by hand.',
      'Use multipart/alternative with text/plain first, then text/html.',
    ],
    bad: 'Content-Type: multipart/alternative   (without a boundary)',
    good: 'Content-Type: multipart/alternative; boundary="b1"',
  },
  subject: ({ content }) => content,
  states: ({ fail, warn, suggest, pass }) => ({
    broken: fail(10).when(
      'a blank line inside the header, no closing boundary, a boundary that is not the one between the parts, unknown CTE, undecodable part, missing boundary parameter, empty body, a header line that is no field',
      ({ structureFaults }) => structureFaults.some(({ severity }) => severity === 'fail'),
    ),
    doubtful: warn(3).when(
      `nesting > ${DEEP}, html before plain or before AMP in alternative, 8-bit text declared as 7bit or not at all, winmail.dat (TNEF), text and HTML of the same words outside of alternative, base64 lines > ${MAX_BASE64_LINE}, octet-stream without disposition, a Content-Type that is no media type, MIME-Version missing or not 1.0`,
      ({ structureFaults }) => structureFaults.some(({ severity }) => severity === 'warn'),
    ),
    needless_base64: suggest.when(
      'ASCII text encoded in base64',
      ({ structureFaults }) => structureFaults.length > 0,
    ),
    well_formed: pass('well formed'),
  }),
  detail: ({ structureFaults }) =>
    structureFaults.length > 0
      ? `${structureFaults.map(({ id }) => formatId(id)).join(', ')}.`
      : 'Well formed.',
  evidence: ({ structureFaults }) => ({ faults: structureFaults.map(({ id }) => id) }),
  fix: {
    why: 'Mail programs may show this message wrongly.',
    do: 'Build the message with a MIME library: multipart/alternative with text/plain first, then text/html.',
  },
  fixes: {
    no_closing_boundary: {
      why: 'A multipart is not closed, so its last part may be cut off.',
      do: 'End it with its boundary between two pairs of hyphens.',
    },
    unknown_encoding: {
      why: 'A part has a Content-Transfer-Encoding that nobody knows.',
      do: 'Use 7bit, 8bit, quoted-printable or base64.',
    },
    undecodable_part: {
      why: 'A part is not encoded as its Content-Transfer-Encoding says, so readers see broken text.',
      do: 'Encode it as declared.',
    },
    missing_boundary: {
      why: 'A multipart has no boundary= in its Content-Type, so no part can be read.',
      do: 'Add it.',
    },
    boundary_mismatch: {
      why: 'The Content-Type names one boundary, and another one stands between the parts of the body, so mail programs find no part and show nothing, or the raw code.',
      do: 'Write the same boundary in both places. A mail library does so.',
    },
    blank_line_in_header: {
      why: 'A blank line stands inside the header. It ends the header, so receivers take what follows for text: {cut_headers}.',
      do: 'Remove the blank line in front of {cut_headers}. Look for a line end too many in the code or template that writes the headers.',
    },
    empty_body: { why: 'The mail has no text, picture or file.', do: 'Send a body.' },
    malformed_content_type: {
      why: 'A Content-Type is not written as a media type and its parameters, so programs take the part for plain text in an unknown charset.',
      do: 'Put a semicolon between the type and each parameter: text/plain; charset=utf-8',
    },
    nested_deep: {
      why: `Parts are nested more than ${DEEP} deep, and filters stop reading there.`,
      do: 'Nest them less.',
    },
    html_before_plain: {
      why: 'In multipart/alternative the HTML stands before the text, so clients show the text.',
      do: 'Put text/plain first and text/html last.',
    },
    html_before_amp: {
      why: 'In multipart/alternative the AMP part stands last.',
      do: 'Put text/x-amp-html before text/html.',
    },
    undeclared_8bit: {
      why: 'A text part has 8-bit characters but is declared as 7bit, or not declared.',
      do: 'Encode it as quoted-printable.',
    },
    tnef: {
      why: 'The mail holds a winmail.dat that only Outlook can open.',
      do: "Send HTML instead of Outlook's Rich Text.",
    },
    missing_mime_version: 'The mail has MIME parts and no MIME-Version header.',
    odd_mime_version: 'The MIME-Version header is not 1.0.',
    junk_header_line: {
      why: 'A header line has no colon, or signs such as a byte order mark before its name. Programs end the header there.',
      do: 'Remove the line, or those signs. A field that goes on in a second line begins that line with a space.',
    },
    text_beside_html: {
      why: 'Text and HTML stand beside each other, so both are shown.',
      do: 'Put them into a multipart/alternative.',
    },
    long_base64_lines: {
      why: 'Base64 lines are too long.',
      do: `Break them after ${MAX_BASE64_LINE} characters.`,
    },
    missing_disposition: {
      why: 'A part of type application/octet-stream does not say that it is a file.',
      do: 'Give it the disposition attachment.',
    },
    needless_base64: {
      why: 'A text part in plain ASCII is hidden in base64, as spam often is.',
      do: 'Send it as 7bit or quoted-printable.',
    },
  },
  cases: ({ structureFaults }) => asSeen(...structureFaults.map(({ id }) => id)),
  values: ({ fieldsBehind }) => ({ cut_headers: formatList(fieldsBehind) }),
  cause: ({ fieldsBehind }) => (fieldsBehind.length > 0 ? BLANK_LINE : 'mime_structure'),
  steps: (_, __, name) =>
    VERSION_FAULTS.includes(name) ? [headerStep('MIME-Version', '1.0')] : undefined,
});

const VERSION_FAULTS: readonly string[] = ['missing_mime_version', 'odd_mime_version'];
