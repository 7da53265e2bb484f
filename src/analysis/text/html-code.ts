/** Recognises HTML code in a part that is declared as plain text. */

const PAGE = /^\s*<(?:!doctype html|html|head|body)[\s>]/i;
const FRAGMENT = /^\s*<(?:table|div|p|center|h[1-6]|span|font|style|b|strong)[\s>]/i;
const END = /(?:<\/(?:html|body|table|div|p|center|h[1-6]|span|font|a|b|strong)>|<br ?\/?>)\s*$/i;

/** Number of characters at the end of a text that are searched for an end tag. */
const MAX_END = 200;

/**
 * Returns whether a text is the code of an HTML page or of a fragment of one, or null if it is neither. Such a
 * text begins and ends with a tag, unlike one whose author writes about HTML.
 */
export function htmlCodeIn(text: string): 'page' | 'fragment' | null {
  if (!END.test(text.slice(-MAX_END))) return null;
  if (PAGE.test(text)) return 'page';
  return FRAGMENT.test(text) ? 'fragment' : null;
}
