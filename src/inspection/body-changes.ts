/**
 * Finds out how an email's body was changed after signing, by undoing usual changes until the hash in a DKIM
 * signature matches.
 */

import { createHash } from 'node:crypto';
import type { ProvedChange } from '../analysis/dkim/changes.ts';
import type { MailHead } from '../analysis/mail/scan-headers.ts';
import { decodeBody } from '../analysis/mime/decode.ts';
import { type PlacedNode, readMimeTree } from '../analysis/mime/tree.ts';
import type { AuthenticationPart, MailJob, SignatureVerdict } from '../ports/reading.ts';

/**
 * Maximum number of signatures per email for which the original body is searched, so that a hostile email
 * cannot take up more time.
 */
const MAX_SIGNATURES = 2;

/** Largest body that is examined, in bytes. Bodies of honest emails are almost always smaller. */
const MAX_BODY_BYTES = 256 * 1024;

/** Maximum number of lines at the end of a body that are considered as added. */
const MAX_ADDED_LINES = 40;

/** Adds what was changed to the verdicts whose body hash differs, if the change can be proved. */
export function withBodyChanges(
  part: AuthenticationPart,
  own: Uint8Array,
  { head, signatures }: Pick<MailJob, 'signatures'> & { readonly head: MailHead },
): AuthenticationPart {
  const body = own.length - head.block.bodyOffset;
  const isTried = ({ signedBodyHash }: SignatureVerdict) => signedBodyHash !== undefined;
  const tried = part.signatures.filter(isTried).slice(0, MAX_SIGNATURES);
  if (tried.length === 0 || body > MAX_BODY_BYTES) return part;
  const originals = undoneBodies(own, head);
  return {
    ...part,
    signatures: part.signatures.map((verdict, i) => {
      const header = signatures[i]?.header;
      if (!header || header.bodyLength !== null || !tried.includes(verdict)) return verdict;
      const changed = findChange(originals, verdict.signedBodyHash, header.canonicalization);
      return changed === null ? verdict : { ...verdict, changed };
    }),
  };
}

/** A body as it may have been before one change, and that change. Each character is one byte. */
interface Original {
  readonly what: ProvedChange['what'];
  readonly body: string;
}

function findChange(
  originals: readonly Original[],
  hash: string | undefined,
  canonicalization: string,
): ProvedChange | null {
  const isRelaxed = canonicalization.endsWith('/relaxed');
  const found = originals.find(({ what, body }) => {
    if (what === 'text_added' || (isRelaxed && what === 'body_spaces')) return false;
    return hashOf(canonical(body, isRelaxed)) === hash;
  });
  if (found) return { what: found.what };
  const now = originals.find(({ what }) => what === 'text_added')?.body ?? '';
  const lines = countAddedLines(canonical(now, isRelaxed), hash);
  return lines === null ? null : { what: 'text_added', lines };
}

const hashOf = (text: string): string =>
  createHash('sha256').update(text, 'latin1').digest('base64');

/** Brings a body into canonical form (RFC 6376 §3.4.3, §3.4.4). */
function canonical(body: string, isRelaxed: boolean): string {
  const text = isRelaxed ? withoutLineEndSpaces(body.replace(/[ \t]+/g, ' ')) : body;
  let end = text.length;
  while (text.endsWith('\r\n', end)) end -= 2;
  return end === 0 && isRelaxed ? '' : `${text.slice(0, end)}\r\n`;
}

const withoutLineEndSpaces = (body: string): string => body.replace(/ (?=\r\n|$)/g, '');

/** Returns every body that a usual change turns into the one that arrived. */
function undoneBodies(own: Uint8Array, head: MailHead): readonly Original[] {
  const now = toText(own.subarray(head.block.bodyOffset));
  const { nodes } = readMimeTree(own, head.block);
  const first = nodes[0]?.type.startsWith('multipart/') ? nodes[1] : undefined;
  const candidates: readonly Original[] = [
    { what: 'quoted_printable', body: decoded(own, head, nodes, 'quoted-printable') },
    { what: 'base64', body: decoded(own, head, nodes, 'base64') },
    { what: 'part_added', body: first ? toText(own.subarray(first.start, first.end)) : now },
    { what: 'from_line', body: now.replace(/^>From /gm, 'From ') },
    { what: 'dots', body: now.replace(/^\.\./gm, '.') },
    // This expression looks back only from line ends. If it looked back from every character, a hostile body
    // would take a second.
    { what: 'long_lines', body: now.replace(/\r\n (?<=[^\r\n]{900}\r\n )/g, '') },
    { what: 'body_spaces', body: now.replace(/(?<![ \t])[ \t]+(?=\r\n|$)/g, '') },
    // The separator line above an email signature ends with a space, which some servers remove.
    { what: 'body_spaces', body: now.replace(/^--(?=\r\n)/gm, '-- ') },
  ];
  return [...candidates.filter(({ body }) => body !== now), { what: 'text_added', body: now }];
}

const toText = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    .toString('latin1')
    .replace(/\r?\n/g, '\r\n');

/**
 * Returns the body with all text parts of one encoding decoded to 8bit, as they may have been when they were
 * signed.
 */
function decoded(
  own: Uint8Array,
  { block }: MailHead,
  nodes: readonly PlacedNode[],
  encoding: string,
): string {
  let at = block.bodyOffset;
  let text = '';
  for (const node of nodes) {
    if (node.encoding !== encoding || !node.type.startsWith('text/') || node.start < at) continue;
    const before = toText(own.subarray(at, node.start));
    const declared = before.toLowerCase().lastIndexOf(`content-transfer-encoding: ${encoding}`);
    text +=
      declared < 0
        ? before
        : before.slice(0, declared) +
          before.slice(declared).replace(/: *(?:quoted-printable|base64)/i, ': 8bit');
    text += toText(decodeBody(own, node).bytes);
    at = node.end;
  }
  return text + toText(own.subarray(at));
}

/** Returns how many lines were added below the signed body, or null if the hash matches no shorter body. */
function countAddedLines(text: string, wanted: string | undefined): number | null {
  const lines = text.split('\r\n').slice(0, -1);
  const from = Math.max(0, lines.length - MAX_ADDED_LINES);
  const above = lines.slice(0, from).map((line) => `${line}\r\n`);
  const hash = createHash('sha256').update(above.join(''), 'latin1');
  for (const [i, line] of lines.slice(from).entries()) {
    hash.update(`${line}\r\n`, 'latin1');
    // Blank lines at the end of a body are not signed.
    if (line !== '' && hash.copy().digest('base64') === wanted) return lines.length - from - i - 1;
  }
  return null;
}
