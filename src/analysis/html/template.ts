/** Recognizes HTML that was made from a template, as designed email to many people is. */

import type { HtmlDocument } from './document.ts';

const MEDIA_QUERY = /@media\b/i;

/** Minimum number of tables in designed email. Ordinary mail programs use fewer. */
const MANY_TABLES = 4;

/**
 * Minimum number of lines before the first table that shows a letter, whose tables are those of a signature.
 * In designed email, only a preview text and a link to the web version come before the tables.
 */
const LETTER_LINES = 3;

const hasManyTables = (html: string): boolean =>
  html.split(/<table\b/i, MANY_TABLES + 1).length > MANY_TABLES;

const beginsWithText = ({ text, firstTable }: HtmlDocument): boolean =>
  firstTable !== null &&
  text
    .slice(0, firstTable)
    .split('\n')
    .filter((line) => /[\p{L}\p{N}]/u.test(line)).length >= LETTER_LINES;

/**
 * Returns whether an email was made from a template, as designed email to many people is. `parts` are its
 * HTML parts, and `document` is what was read from them.
 */
export const isTemplate = (parts: readonly string[], document: HtmlDocument | null): boolean =>
  document !== null &&
  (parts.some((html) => MEDIA_QUERY.test(html)) ||
    (parts.some(hasManyTables) && !beginsWithText(document)));
