/** Recognizes role words, which senders add to a brand name, such as "team" or "support". */

import { splitWords, wordSet } from '../syntax/words.ts';
import { toLatin } from './letters.ts';
import table from './roles.json' with { type: 'json' };

const words = (text: string): ReadonlySet<string> => new Set(splitWords(text).map(toLatin));

/** Role words in all languages. A name to which only such words are added still stands for the brand. */
const ROLES = words(Object.values(table.words).join(' '));

/**
 * Role words that turn an ordinary word into the name of a brand: `Chase Online`, but not `UPS Service GmbH`.
 */
const BRAND_ROLES = wordSet(table.brand);

/**
 * Words that count as role words only in a display name, because many agencies have such a word in their
 * domain.
 */
const ROLES_OF_NAMES = wordSet(table.ofNames);

const anyOf = (stems: string): string => splitWords(stems).join('|');

/** Matches the stems by which the many compounds of role words are recognized. */
const ROLE_STEM = new RegExp(`^(?:${anyOf(table.stems)})|(?:${anyOf(table.endings)})$`);

export const isBrandRole = (word: string): boolean => BRAND_ROLES.has(word);

export const isRole = (word: string): boolean =>
  ROLES.has(word) || /^\d+$/.test(word) || ROLE_STEM.test(word);

export const isRoleOfName = (word: string): boolean => ROLES_OF_NAMES.has(word) || isRole(word);

/** Matches letters that make another word of a brand's name when they follow it: `Amazone`, `Amazonas`. */
const ENDING = /^(?:[a-z]|[aeio][ns])$/;

/** Returns whether the rest of a word that begins or ends with a brand's name is a role word. */
export const isJoinedRole = (rest: string): boolean => !ENDING.test(rest) && isRole(rest);
