/** The checks of an email's size and MIME structure. */

import { headerStep } from '../advice/actions.ts';
import { BLANK_LINE } from '../advice/fix.ts';
import { check } from '../check.ts';
import { asSeen } from '../definition.ts';
import { formatId, formatList } from '../format.ts';
import { known } from '../lookup-result.ts';
import { DEEP, MAX_BASE64_LINE } from './report.ts';

const MB = 1024 * 1024;

/** The smallest size limits of common mail servers, in bytes. */
const LARGE_BYTES = 10 * MB;

const NOTABLE_BYTES = MB;

export const messageSize = check({
  id: 'message_size',
  family: 'body',
  title: 'Message size',
  source: 'common MX limits 10-25 MB',
  about: {
    what: 'This check measures the size of the whole email, including attached files.',
    why: 'Many servers refuse emails above 10 to 25 MB, and large emails load slowly on phones.',
    how: ['Put files on a server and link to them.', 'Make images smaller before you send them.'],
    bad: '18 MB',
    good: '200 KB',
  },
  subject: ({ sizeBytes }) => known(sizeBytes),
  states: ({ warn, suggest, pass }) => ({
    too_large: warn(4).when(`> ${LARGE_BYTES / MB} MB`, (bytes) => bytes > LARGE_BYTES),
    large: suggest.when(`> ${NOTABLE_BYTES / MB} MB`, (bytes) => bytes > NOTABLE_BYTES),
    small: pass('small'),
  }),
  detail: (bytes) => `${bytes} bytes; many servers accept at most ${LARGE_BYTES / MB} MB.`,
  evidence: (bytes) => ({ bytes, limit: LARGE_BYTES }),
  fix: {
    why: 'Many mail servers refuse large emails.',
    do: 'Link to files instead of attaching them.',
  },
});

export const mimeStructure = check({
  id: 'mime_structure',
  family: 'structure',
  title: 'MIME structure',
  source:
    'RFC 2045 §4, §6; RFC 2046 §5.1.4; RFC 5322 §4.5; SpamAssassin BASE64_LENGTH_79_INF; rspamd BROKEN_HEADERS, CTYPE_MISSING_DISPOSITION',
  about: {
    what: 'An email with text, HTML and files is a tree of parts.',
    why: 'If a part is missing or not closed, some mail programs show nothing or the raw code.',
    how: [
      'Build emails with a mail library, not by hand.',
      'Use multipart/alternative with text/plain first, then text/html.',
    ],
    bad: 'Content-Type: multipart/alternative   (without a boundary)',
    good: 'Content-Type: multipart/alternative; boundary="b1"',
  },
  subject: ({ content }) => content,
  states: ({ fail, warn, suggest, pass }) => ({
    broken: fail(10).when(
      'a blank line inside the header, no closing boundary, a declared boundary that does not match the one between the parts, unknown CTE, undecodable part, an HTML page declared as plain text, missing boundary parameter, empty body, a header line that is not a field',
      ({ structureFaults }) => structureFaults.some(({ severity }) => severity === 'fail'),
    ),
    doubtful: warn(3).when(
      `nesting > ${DEEP}, html before plain or before AMP in alternative, 8-bit text declared as 7bit or not at all, winmail.dat (TNEF), text and HTML with the same words outside multipart/alternative, HTML or CSS code in the plain text, base64 lines > ${MAX_BASE64_LINE}, octet-stream without disposition, a Content-Type that is not a media type, MIME-Version missing or not 1.0, a space before the colon of a header field`,
      ({ structureFaults }) => structureFaults.some(({ severity }) => severity === 'warn'),
    ),
    binary_encoding: suggest.when('a part declared as binary', ({ structureFaults }) =>
      structureFaults.some(({ id }) => id === 'binary_encoding'),
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
    why: 'Mail programs may display this email incorrectly.',
    do: 'Build the email with a mail library: multipart/alternative with text/plain first, then text/html.',
  },
  fixes: {
    no_closing_boundary: {
      why: 'A multipart is not closed, so its last part may be cut off.',
      do: 'End the multipart with its closing boundary: two hyphens, the boundary, and two hyphens.',
    },
    unknown_encoding: {
      why: 'A part has an unknown Content-Transfer-Encoding.',
      do: 'Use 7bit, 8bit, quoted-printable or base64.',
    },
    undecodable_part: {
      why: 'A part is not encoded as its Content-Transfer-Encoding says, so readers see broken text.',
      do: 'Encode the part as declared.',
    },
    html_as_text: {
      why: 'The email is an HTML page but is declared as text/plain, so readers see its code.',
      do: 'Send multipart/alternative: the text without tags as text/plain first, then the page as text/html.',
    },
    html_in_text: {
      why: 'The plain text contains HTML or CSS code, such as <br>, &nbsp; or a style sheet, which its readers see.',
      do: 'Write the plain text without tags or styles, and with each character itself instead of its name.',
    },
    missing_boundary: {
      why: 'A multipart has no boundary= in its Content-Type, so no part can be read.',
      do: 'Add the boundary= parameter.',
    },
    boundary_mismatch: {
      why: 'The Content-Type names one boundary, but a different one appears between the parts of the body, so mail programs find no parts and show nothing or the raw code.',
      do: 'Write the same boundary in both places. A mail library does that for you.',
    },
    blank_line_in_header: {
      why: 'There is a blank line inside the header section. It ends the section, so receivers treat the rest as body text: {cut_headers}.',
      do: 'Remove the blank line before {cut_headers}. Look for an extra line ending in the code or template that writes the headers.',
    },
    empty_body: { why: 'The email has no text, image or file.', do: 'Give the email a body.' },
    malformed_content_type: {
      why: 'A Content-Type is not written as a media type with parameters, so mail programs treat the part as plain text in an unknown character set.',
      do: 'Put a semicolon between the type and each parameter: text/plain; charset=utf-8',
    },
    nested_deep: {
      why: `Parts are nested more than ${DEEP} levels deep, and filters stop reading there.`,
      do: 'Use fewer levels of nesting.',
    },
    html_before_plain: {
      why: 'In multipart/alternative the HTML comes before the text, so mail programs show the text.',
      do: 'Put text/plain first and text/html last.',
    },
    html_before_amp: {
      why: 'In multipart/alternative the AMP part comes last.',
      do: 'Put text/x-amp-html before text/html.',
    },
    undeclared_8bit: {
      why: 'A text part contains 8-bit characters but is declared as 7bit, or has no declaration.',
      do: 'Encode the part as quoted-printable.',
    },
    tnef: {
      why: 'The email contains a winmail.dat file that only Outlook can open.',
      do: "Send HTML instead of Outlook's Rich Text.",
    },
    missing_mime_version: 'The email has MIME parts but no MIME-Version header.',
    odd_mime_version: 'The MIME-Version header is not 1.0.',
    space_before_colon: {
      why: 'A header field has a space between its name and the colon. Some programs do not read such a field (RFC 5322 §4.5).',
      do: 'Write the colon directly after the name of the field.',
    },
    binary_encoding: {
      why: 'A part is declared as binary, which SMTP does not carry without an extension (RFC 2045 §6.2, RFC 3030).',
      do: 'Declare the part as 7bit or 8bit, or encode it as quoted-printable or base64.',
    },
    junk_header_line: {
      why: 'A header line has no colon, or has characters such as a byte order mark before its name. Mail programs end the header section there.',
      do: 'Remove the line, or those characters. If a field continues on a second line, start that line with a space.',
    },
    text_beside_html: {
      why: 'The text and the HTML are separate parts, so mail programs show both.',
      do: 'Put them into a multipart/alternative.',
    },
    long_base64_lines: {
      why: 'The base64 lines of a part are too long.',
      do: `Break them after ${MAX_BASE64_LINE} characters.`,
    },
    missing_disposition: {
      why: 'A part of type application/octet-stream is not marked as an attachment.',
      do: 'Add the header Content-Disposition: attachment to the part.',
    },
    needless_base64: {
      why: 'A text part in plain ASCII is encoded in base64, as spam often is.',
      do: 'Send the part as 7bit or quoted-printable.',
    },
  },
  cases: ({ structureFaults }) => asSeen(...structureFaults.map(({ id }) => id)),
  values: ({ fieldsBehind }) => ({ cut_headers: formatList(fieldsBehind) }),
  cause: ({ fieldsBehind }) => (fieldsBehind.length > 0 ? BLANK_LINE : 'mime_structure'),
  steps: (_, __, name) =>
    VERSION_FAULTS.includes(name) ? [headerStep('MIME-Version', '1.0')] : undefined,
});

const VERSION_FAULTS: readonly string[] = ['missing_mime_version', 'odd_mime_version'];
