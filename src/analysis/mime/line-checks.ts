/** The checks of line lengths, line endings and charsets. */

import { check } from '../check.ts';
import { asSeen, whichHold } from '../definition.ts';
import { formatId } from '../format.ts';
import type { CharsetFault, LineFacts } from './facts.ts';

/** Maximum length of a line in octets, without the line ending (RFC 5322 §2.1.1). */
const MAX_LINE_BYTES = 998;

/** Recommended maximum length of a header line in octets, without the line ending (RFC 5322 §2.1.1). */
const GOOD_HEADER_BYTES = 78;

const hasLongHeader = ({ lines }: LineFacts) => lines.longestHeaderBytes > GOOD_HEADER_BYTES;

export const lineLength = check({
  id: 'line_length',
  family: 'structure',
  title: 'Line length',
  source: 'RFC 5321 §4.5.3.1.6; RFC 5322 §2.1.1',
  about: {
    what: `A line of an email may have at most ${MAX_LINE_BYTES} bytes.`,
    why: 'Servers cut or wrap longer lines, which breaks the text and the DKIM signature.',
    how: ['Have the mail library encode the text as quoted-printable or base64.'],
    bad: '<p>…a whole page of HTML in one line of 20,000 bytes…</p>',
    good: 'Content-Transfer-Encoding: quoted-printable',
  },
  subject: ({ headers }) => headers,
  states: ({ fail, info, pass }) => ({
    too_long: fail(6).when(
      `a line > ${MAX_LINE_BYTES} bytes`,
      ({ lines }) => lines.longestBytes > MAX_LINE_BYTES,
    ),
    long_headers: info.when(`header lines > ${GOOD_HEADER_BYTES}`, hasLongHeader),
    within: pass('ok'),
  }),
  detail: ({ lines }) => {
    const whole = `Longest line: ${lines.longestBytes} bytes; the limit is ${MAX_LINE_BYTES}.`;
    const header = `Longest header line: ${lines.longestHeaderBytes} bytes; at most ${GOOD_HEADER_BYTES} are recommended.`;
    return hasLongHeader({ lines }) ? `${whole} ${header}` : whole;
  },
  evidence: ({ lines }) => ({
    longest_bytes: lines.longestBytes,
    limit: MAX_LINE_BYTES,
    longest_header_bytes: lines.longestHeaderBytes,
    recommended_header_bytes: GOOD_HEADER_BYTES,
  }),
  fix: {
    why: `A line of {part_type} has {n} bytes, and SMTP allows ${MAX_LINE_BYTES}.`,
    do: 'Encode the part as quoted-printable or base64.',
  },
  fixes: {
    header: {
      why: `A header line has {n} bytes, and SMTP allows ${MAX_LINE_BYTES}.`,
      do: 'Fold the header line at white space.',
    },
  },
  cases: ({ lines }) => (lines.longestHeaderBytes === lines.longestBytes ? ['header'] : []),
  values: ({ lines }) => ({ part_type: lines.longestIn, n: lines.longestBytes }),
});

export const bareNewlines = check({
  id: 'bare_newlines',
  family: 'structure',
  title: 'Line endings',
  source: 'RFC 5321 §2.3.8',
  about: {
    what: 'Each line of an email ends with the two characters CR and LF.',
    why: 'Servers refuse mail with only one of them, because attackers used such lines to smuggle in a second email.',
    how: [
      'Send with a mail library, which writes line endings correctly.',
      'In your own code, write \\r\\n, never \\n alone.',
    ],
    bad: 'Subject: Hello\\nFrom: …',
    good: 'Subject: Hello\\r\\nFrom: …',
  },
  subject: ({ headers }) => headers,
  states: ({ fail, pass }) => ({
    present: fail(6).when(
      'bare CR or LF, NUL bytes',
      ({ lines }) => lines.bareNewlines || lines.nul,
    ),
    absent: pass('CRLF only'),
  }),
  detail: ({ lines }) => {
    const found = [lines.bareNewlines ? 'bare CR or LF' : '', lines.nul ? 'NUL bytes' : ''];
    const named = found.filter(Boolean).join(', ');
    return named === '' ? 'Every line ends in CRLF.' : `Found: ${named}.`;
  },
  evidence: ({ lines }) => ({ bare_newlines: lines.bareNewlines, nul: lines.nul }),
  fix: {
    why: 'Lines end in a bare CR or LF, which some servers refuse.',
    do: 'End every line with CRLF.',
  },
  fixes: {
    nul: {
      why: 'The email contains NUL bytes, which some servers refuse.',
      do: 'Encode binary parts as base64.',
    },
    newline: {
      why: 'Lines end in a bare CR or LF, which some servers refuse.',
      do: 'End every line with CRLF.',
    },
  },
  cases: ({ lines }) => whichHold({ newline: lines.bareNewlines, nul: lines.nul }),
});

export const charsetDeclared = check({
  id: 'charset_declared',
  family: 'headers',
  title: 'Character set of the text',
  source: 'RFC 2046 §4.1.1, §4.1.2',
  about: {
    what: 'An email declares which character set its text is in.',
    why: 'Without that, umlauts, accents and emoji turn into garbage.',
    how: ['Declare utf-8, and send the text as utf-8.'],
    bad: 'Content-Type: text/html',
    good: 'Content-Type: text/html; charset=utf-8',
  },
  subject: ({ content }) => content,
  states: ({ warn, pass }) => ({
    wrong: warn(2).when(
      '8-bit text without charset, unknown charset, UTF-16 or UTF-32, bytes not valid in the charset, UTF-8 declared as another charset, text converted to UTF-8 twice, or U+FFFD instead of letters',
      ({ charsetFaults }) => charsetFaults.length > 0,
    ),
    right: pass('ok'),
  }),
  detail: ({ charsetFaults }) =>
    charsetFaults.length > 0
      ? `${[...new Set(charsetFaults.map(formatCharsetFault))].join('; ')}.`
      : 'Declared.',
  evidence: ({ charsetFaults }) => ({
    faults: [...new Set(charsetFaults.map(formatCharsetFault))],
  }),
  fix: {
    why: 'The character set of the text is not declared in a usable way.',
    do: 'Declare utf-8 in the header of the part (Content-Type: {type}; charset=utf-8), and send the text as valid UTF-8.',
  },
  fixes: {
    missing_charset: {
      why: 'The text contains 8-bit characters but declares no character set, so mail programs guess.',
      do: 'Declare utf-8 in the header of the part: Content-Type: {type}; charset=utf-8.',
    },
    unknown_charset: {
      why: 'The text declares a character set that mail programs do not know.',
      do: 'Use UTF-8, and declare it in the header of the part: Content-Type: {type}; charset=utf-8.',
    },
    invalid_bytes: {
      why: 'The {type} part is not valid in {charset}, the character set it declares, so readers see wrong letters.',
      do: 'Declare the character set that the text is really written in.',
    },
    wide_charset: {
      why: 'The {type} part is written in {charset}, whose line breaks are not the bytes CR and LF that text in email must have (RFC 2046 §4.1.1). Some mail programs show nothing or wrong letters.',
      do: 'Send the text as UTF-8, and declare it in the header of the part: Content-Type: {type}; charset=utf-8.',
    },
    utf8_not_declared: {
      why: 'The {type} part is UTF-8 but declares {charset}, so readers see two wrong letters for each accented one, such as “Ã¼” for “ü”.',
      do: 'Declare the character set in which the text is written: Content-Type: {type}; charset=utf-8.',
    },
    encoded_twice: {
      why: 'The text was converted to UTF-8 twice, so readers see two wrong letters for each accented one, such as “Ã¼” for “ü”.',
      do: 'Find the place that reads UTF-8 text as Windows-1252 or Latin-1, often a database connection or an imported file, and have it read UTF-8.',
    },
    lost_letters: {
      why: 'The text contains the character “�” (U+FFFD) instead of letters that were lost before the email was sent.',
      do: 'Find the place where the text is read with the wrong character set, often a template or an imported file, and have it read with the right one.',
    },
  },
  cases: ({ charsetFaults: [fault] }) => asSeen(fault?.id ?? ''),
  values: ({ charsetFaults: [fault] }) => ({
    type: fault?.type ?? 'text/html',
    charset: fault?.charset ?? 'unknown',
  }),
});

/** Words for the faults whose ids do not explain themselves. */
const WORDS: Readonly<Record<string, string>> = {
  wide_charset: 'a character set that text in email may not have',
  utf8_not_declared: 'UTF-8 declared as another character set',
  encoded_twice: 'converted to UTF-8 twice',
  lost_letters: 'letters were lost',
};

const formatCharsetFault = ({ id, type, charset }: CharsetFault): string =>
  `${type}${charset === null ? '' : `; charset=${charset}`}: ${WORDS[id] ?? formatId(id)}`;
