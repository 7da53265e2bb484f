/** RFC 6376 §3.2: a list with a tag twice is invalid. Of which one counts, readers disagree. */
export const hasRepeatedTag = (value: string): boolean => {
  const names = value
    .split(';')
    .filter((piece) => piece.includes('='))
    .map((piece) => piece.slice(0, piece.indexOf('=')).trim().toLowerCase());
  return new Set(names).size < names.length;
};

const TAG_NAME = /^[a-z][a-z0-9_]*$/i;

/** What breaks the grammar of a tag list (RFC 6376 §3.2), in words of ours; null: nothing. */
export function tagListFault(value: string): string | null {
  const pieces = value.split(';').map((piece) => piece.trim());
  // One semicolon may end the list.
  if (pieces.length > 1 && pieces.at(-1) === '') pieces.pop();
  for (const piece of pieces) {
    const equals = piece.indexOf('=');
    if (piece === '') return 'an empty tag';
    if (equals < 0) return 'a tag without =';
    if (!TAG_NAME.test(piece.slice(0, equals).trimEnd())) return 'a tag whose name is not valid';
  }
  return hasRepeatedTag(value) ? 'a tag twice' : null;
}

/**
 * A tag list (RFC 6376 §3.2) as a Map, since names come from the sender. The first of equal names
 * counts.
 */
export const parseTagList = (value: string): ReadonlyMap<string, string> => {
  const tags = new Map<string, string>();
  for (const piece of value.split(';')) {
    const equals = piece.indexOf('=');
    if (equals === -1) continue;
    const name = piece.slice(0, equals).trim();
    if (name !== '' && !tags.has(name)) tags.set(name, piece.slice(equals + 1).trim());
  }
  return tags;
};
