/**
 * Parses, checks and corrects tag lists, the syntax (`name=value; …`) of DKIM, DMARC and similar records.
 */

/** Returns the tags of a list in order (RFC 6376 §3.2). A tag without `=` has the value null. */
export const readTags = (list: string, limit?: number) =>
  list
    .split(';', limit)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '')
    .map((piece): readonly [name: string, value: string | null] => {
      const at = piece.indexOf('=');
      return at < 0
        ? [piece, null]
        : [piece.slice(0, at).trimEnd(), piece.slice(at + 1).trimStart()];
    });

/** Matches the HTML entities of characters that occur in records, in a text copied from a page's source. */
const ENTITY = /&(?:#(\d{2,4})|#x([0-9a-f]{2,4})|(quot|apos|lt|gt|amp|nbsp));/gi;

const NAMED: Readonly<Record<string, string>> = {
  ...{ quot: '"', apos: "'", lt: '<', gt: '>', amp: '&', nbsp: ' ' },
};

/** Returns a text with the characters that its HTML entities stand for. */
export const decodeEntities = (text: string): string =>
  text.replace(
    ENTITY,
    (_, decimal?: string, hex?: string, name?: string) =>
      NAMED[name?.toLowerCase() ?? ''] ??
      String.fromCharCode(decimal ? Number(decimal) : Number.parseInt(hex ?? '20', 16)),
  );

/**
 * Returns a text with plain semicolons, and without the quotation marks and backslashes that a zone file or a
 * word processor added.
 */
export const withoutZoneSigns = (text: string): string =>
  decodeEntities(text)
    .replace(/["'\\“”‘’]/g, '')
    .replaceAll('；', ';')
    .trim();

/** Matches what precedes the text in a line of a zone file: name, TTL, class, type and a parenthesis. */
const BEFORE_TEXT = /^\s*(?:[\w.@*-]+\s+)?(?:\d+[smhdw]?\s+)?(?:IN\s+)?TXT[\s:(]+(?=["“]?v\s*=)/i;

/** Matches what follows the text there: a parenthesis and a comment. */
const AFTER_TEXT = /"\s*(?:\)\s*)?(?:;[^"]*)?$/;

/** Returns the text of a record if a whole line of a zone file, or HTML, was entered instead. */
export function textOfZoneLine(text: string): string {
  const plain = decodeEntities(text);
  return BEFORE_TEXT.test(plain) ? plain.replace(BEFORE_TEXT, '').replace(AFTER_TEXT, '') : plain;
}

/**
 * Returns the list with the intended characters: no quotation marks or backslashes, semicolons between tags,
 * and an equals sign after their names.
 */
export function plainTags(list: string, names: readonly string[]): string {
  const name = `(?:${names.join('|')})`;
  return withoutZoneSigns(list)
    .replace(new RegExp(`(?<![;,\\s])[;,\\s]+(?=${name}\\s*[=:])`, 'gi'), '; ')
    .replace(new RegExp(`(?<=(?:^|; )${name})\\s*[=:]\\s*`, 'gi'), '=')
    .trim();
}

/**
 * Returns whether a tag appears twice, which makes a list invalid (RFC 6376 §3.2). Parsers disagree on which
 * one counts.
 */
export const hasRepeatedTag = (list: string): boolean => {
  const tags = readTags(list).filter(([, value]) => value !== null);
  return new Set(tags.map(([name]) => name.toLowerCase())).size < tags.length;
};

const TAG_NAME = /^[a-z][a-z0-9_]*$/i;

/**
 * Returns a description of what breaks the grammar of a tag list (RFC 6376 §3.2), or null if nothing does.
 */
export function tagListFault(value: string): string | null {
  const pieces = value.split(';').map((piece) => piece.trim());
  // A single semicolon may end the list.
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
 * Parses a tag list (RFC 6376 §3.2) into a Map, because names come from the sender. If a name is repeated,
 * the first value counts.
 */
export const parseTagList = (list: string): ReadonlyMap<string, string> => {
  const tags = new Map<string, string>();
  for (const [name, value] of readTags(list))
    if (name !== '' && value !== null && !tags.has(name)) tags.set(name, value);
  return tags;
};
