/**
 * Undoes usual changes to signed header fields, so that a signature can be verified without those changes.
 */

import type { ProvedChange } from '../analysis/dkim/changes.ts';
import { shownField } from '../analysis/dkim/parse.ts';

/** The signed fields as they may have been before one change, and that change. */
export interface OriginalFields {
  readonly changed: ProvedChange;
  readonly fields: readonly string[];
}

/**
 * Matches a tag that a list, a filter or a gateway put at the beginning of a subject, possibly after "Re:".
 */
const SUBJECT_TAG =
  /^(subject[ \t]*:\s*(?:(?:re|fwd?|aw|wg)\s*:\s*)*)(?:\[[^\]\r\n]{1,80}\]|\*{2,}[^*\r\n]{1,80}\*{2,}|(?:external|extern|spam|suspected spam|ext)\s*:)\s*/i;

const ONE_ADDRESS = /^((?:to|cc|reply-to|sender)[ \t]*:\s*)<([^<>,\s]+)>$/i;
const ADDRESS_ALONE = /^((?:to|cc|reply-to|sender)[ \t]*:\s*)([^<>,\s@]+@[^<>,\s@]+)$/i;
const ENCODING = /^(content-transfer-encoding[ \t]*:\s*)(?:7bit|quoted-printable|base64)$/i;

/**
 * Returns one version of the signed fields for each usual change, with that change undone, the most frequent
 * change first. The last field is the signature itself, which no server on the route changes.
 */
export function undoneFields(
  fields: readonly string[],
  canonicalization: string,
): readonly OriginalFields[] {
  const own = fields.length - 1;
  const edit = (
    changed: ProvedChange,
    undo: (field: string) => string,
  ): readonly OriginalFields[] => {
    const before = fields.map((field, at) => (at === own ? field : undo(field)));
    return before.some((field, at) => field !== fields[at]) ? [{ changed, fields: before }] : [];
  };
  const rewritten = (pattern: RegExp, to: string) => {
    const name =
      fields
        .slice(0, own)
        .find((field) => pattern.test(field))
        ?.split(':', 1)[0] ?? '';
    const changed = { what: 'rewritten', header: shownField(name.trim().toLowerCase()) } as const;
    return edit(changed, (field) => field.replace(pattern, to));
  };
  return [
    ...edit({ what: 'subject_tag' }, (field) => field.replace(SUBJECT_TAG, '$1')),
    ...(canonicalization.startsWith('relaxed')
      ? []
      : [withoutEdgeSpaces, inOneLine].flatMap((undo) => edit({ what: 'header_spaces' }, undo))),
    ...rewritten(ONE_ADDRESS, '$1$2'),
    ...rewritten(ADDRESS_ALONE, '$1<$2>'),
    ...rewritten(ENCODING, '$18bit'),
  ];
}

/** Writes a field with one space after the colon, and none at the end. */
const withoutEdgeSpaces = (field: string): string =>
  field.replace(/^([^:]*):(?:[ \t]{2,}|\t)/, '$1: ').trimEnd();

/** Writes a field on one line. */
const inOneLine = (field: string): string => withoutEdgeSpaces(field.replace(/\r\n[ \t]+/g, ' '));
