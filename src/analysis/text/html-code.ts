/** Recognizes HTML and CSS code in a part that is declared as plain text. */

import { quotedParts } from './template-fields.ts';

const PAGE = /^\s*<(?:!doctype html|html|head|body)[\s>]/i;
const FRAGMENT = /^\s*<(?:table|div|p|center|h[1-6]|span|font|style|b|strong)[\s>]/i;
const END = /(?:<\/(?:html|body|table|div|p|center|h[1-6]|span|font|a|b|strong)>|<br ?\/?>)\s*$/i;

const SELECTOR =
  '(?:[.#][\\w-]{1,40}|\\*|:root|(?:html|body|table|t[dhr]|p|a|div|span|img|h[1-6]|ul|ol|li)\\b[.#:\\w-]{0,40})';

/** Matches a rule of a style sheet at the beginning of a text. */
const CSS = new RegExp(
  `^\\s*(?:@(?:media|font-face)[^{};]{0,80}|${SELECTOR}(?:[\\s,>]{1,5}${SELECTOR}){0,10}\\s{0,5})\\{[^{}]{0,500}[:{]`,
  'i',
);

/** Matches the names by which HTML writes special characters, such as `&nbsp;`. */
const ENTITY =
  /&(?:nbsp|amp|quot|lt|gt|euro|[aouAOU]uml|szlig|[aeiouc](?:acute|grave|circ|cedil)|#\d{2,5}|#x[\da-f]{2,5});/;

/** Returns whether a text shows the code of special characters that its HTML version does not show as code. */
export const showsEntities = (text: string, html: string): boolean =>
  ENTITY.test(text) && !ENTITY.test(html);

/** Number of characters at the end of a text that are searched for an end tag. */
const MAX_END = 200;

/** Matches a line break of HTML directly after text, without the space that a text about HTML would have. */
const BREAK = /[^\s<>]<br ?\/?>/i;

/** Number of characters of a text whose lines are searched for line breaks of HTML. */
const MAX_LINES = 20_000;

/** Returns whether at least half of the lines with words, not counting quoted ones, have a line break of HTML. */
function breaksLines(text: string): boolean {
  if (!BREAK.test(text)) return false;
  const quoted = new Set(quotedParts(text).split('\n'));
  const lines = text
    .slice(0, MAX_LINES)
    .split('\n')
    .filter((line) => /\p{L}/u.test(line) && !/^\s/.test(line) && !quoted.has(line));
  const broken = lines.filter((line) => BREAK.test(line));
  return broken.length > 0 && broken.length * 2 >= lines.length;
}

/**
 * Returns whether a text is the code of an HTML page or of a fragment of one, or null if it is neither. Such a
 * text begins and ends with a tag, begins with a style sheet, or breaks its lines with tags, unlike one whose
 * author writes about HTML.
 */
export function htmlCodeIn(text: string): 'page' | 'fragment' | null {
  const isClosed = END.test(text.slice(-MAX_END));
  if (isClosed && PAGE.test(text)) return 'page';
  const isFragment = (isClosed && FRAGMENT.test(text)) || CSS.test(text) || breaksLines(text);
  return isFragment ? 'fragment' : null;
}
