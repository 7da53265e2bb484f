/** The words that senders add to a name, such as "team" or "support". */

import { splitWords, wordSet } from '../syntax/words.ts';
import { toLatin } from './letters.ts';
import table from './roles.json' with { type: 'json' };

const words = (text: string): ReadonlySet<string> => new Set(splitWords(text).map(toLatin));

/**
 * Words that senders add to their name, in all languages. With only such words added, the name still stands
 * for the brand.
 */
const ROLES = words(Object.values(table.words).join(' '));

/** Words that turn an ordinary word into the name of a brand: `Chase Online`, but not `UPS Service GmbH`. */
const BRAND_ROLES = wordSet(table.brand);

/** Like `ROLES`, but only beside a name. Many agencies have such a word in their domain. */
const ROLES_OF_NAMES = wordSet(table.ofNames);

const anyOf = (stems: string): string => splitWords(stems).join('|');

/** Stems by which the many compounds of such words are recognised as roles. */
const ROLE_STEM = new RegExp(`^(?:${anyOf(table.stems)})|(?:${anyOf(table.endings)})$`);

export const isBrandRole = (word: string): boolean => BRAND_ROLES.has(word);

export const isRole = (word: string): boolean =>
  ROLES.has(word) || /^\d+$/.test(word) || ROLE_STEM.test(word);

export const isRoleOfName = (word: string): boolean => ROLES_OF_NAMES.has(word) || isRole(word);
