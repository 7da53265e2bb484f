/**
 * Explains changes that were made to an email after signing and that trial verification has proved, and
 * builds the steps that prevent them.
 */

import { type Step, serverStep, wordsStep } from '../advice/actions.ts';

/**
 * A change to the email after signing that trial verification has proved: if it is undone, the signature or
 * its body hash matches.
 */
export interface ProvedChange {
  readonly what: ChangeKind;
  /** The name of the header field that changed, in lower case. */
  readonly header?: string;
  /** Number of lines that were added at the end of the body. */
  readonly lines?: number;
}

type ChangeKind = keyof typeof CHANGES;

const LATER_SERVER =
  'If a later server has to do this, have that server sign, as the last step before the email leaves.';

/** Explanations of each change: what a program did to the email after signing, and how to prevent it. */
const CHANGES = {
  text_added: {
    because:
      'text was added at the end of the body after signing: without the last {lines}, the body matches the signature.',
    do: `Have the footer, the disclaimer or the virus scanner's notice added before the email is signed, or turn it off. ${LATER_SERVER}`,
  },
  part_added: {
    because:
      'the body was wrapped in a new multipart after signing: the first part alone matches the signature.',
    do: `Have the footer, the notice or the attachment added before the email is signed, or turn it off. ${LATER_SERVER}`,
  },
  quoted_printable: {
    because:
      'a server encoded the body as quoted-printable after signing: once decoded, the body matches the signature.',
    do: `Have the program that writes the email encode its text as quoted-printable or base64 instead of 8bit, so that no server has to do it later. ${LATER_SERVER}`,
  },
  base64: {
    because:
      'a server encoded the body as base64 after signing: once decoded, the body matches the signature.',
    do: `Have the program that writes the email encode its text as quoted-printable or base64 instead of 8bit, so that no server has to do it later. ${LATER_SERVER}`,
  },
  body_spaces: {
    because:
      "white space at the end of a line changed after signing, and the signature's body canonicalization (simple) allows no changes.",
    do: null,
  },
  header_spaces: {
    because:
      "white space in the header changed after signing, and the signature's header canonicalization (simple) allows no changes.",
    do: null,
  },
  from_line: {
    because:
      'a server put ">" before a line of the body that begins with "From " after signing: without it, the body matches the signature.',
    do: `Have the program that writes the email encode its text as quoted-printable, with =46rom instead of From at the beginning of a line. ${LATER_SERVER}`,
  },
  dots: {
    because:
      'a dot at the beginning of a line was doubled once too often after signing: with one dot, the body matches the signature.',
    do: 'Find the program that relays the email and doubles the dot a second time. SMTP doubles a dot at the beginning of a line once, when the email is sent (dot-stuffing), and the next server removes the extra dot. Mail libraries do both.',
  },
  long_lines: {
    because:
      'a server cut lines that are too long for SMTP after signing: with the lines joined again, the body matches the signature.',
    do: 'Have the program that writes the email keep its lines below 998 characters, or encode its text as quoted-printable or base64.',
  },
  subject_tag: {
    because: 'a tag was added to the subject after signing: without it, the signature verifies.',
    do: `Turn off the tag for mail that you send, or have it added before the email is signed. ${LATER_SERVER}`,
  },
  rewritten: {
    because:
      '{header} was rewritten after signing, for example with or without angle brackets: in its earlier form, the signature verifies.',
    do: `Turn off the rewriting of {header} on the server that relays the email. ${LATER_SERVER}`,
  },
} as const;

/** Returns the steps that prevent such a change after signing. */
export function changeSteps({ what }: ProvedChange, header: string): readonly Step[] {
  const { do: words } = CHANGES[what];
  return words === null
    ? [serverStep('dkim.c', 'relaxed/relaxed')]
    : [wordsStep('server', words.replaceAll('{header}', header), 'sender', 'dkim.order')];
}

/** Returns the explanation of a change, worded as the end of a sentence. */
export const changeText = ({ what, lines }: ProvedChange, header: string): string =>
  CHANGES[what].because
    .replace('{header}', header)
    .replace('{lines}', lines === 1 ? 'line' : `${lines} lines`);
