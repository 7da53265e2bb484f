/**
 * Converts text to the Latin letters that a reader perceives, and detects mixed scripts and invisible
 * characters.
 */

/**
 * Letters that can be mistaken for a plain Latin letter, mapped to that letter (a selection from UTS #39).
 */
const LATIN_FOR: Readonly<Record<string, string>> = {
  ...{ а: 'a', е: 'e', о: 'o', р: 'p', с: 'c', у: 'y', х: 'x', і: 'i', ј: 'j', ѕ: 's', һ: 'h' },
  ...{ ԁ: 'd', ԛ: 'q', ԝ: 'w', в: 'b', к: 'k', м: 'm', н: 'h', т: 't', ӏ: 'l', ь: 'b' },
  ...{ α: 'a', ο: 'o', ν: 'v', τ: 't', ρ: 'p', υ: 'u', κ: 'k', ι: 'i', ε: 'e', η: 'n', χ: 'x' },
  ...{ ı: 'i', ɑ: 'a', ɡ: 'g', ӓ: 'a', ё: 'e', ł: 'l', ø: 'o', đ: 'd', ß: 'ss' },
};

const DIGIT_FOR: Readonly<Record<string, string>> = { 0: 'o', 1: 'l', 3: 'e', 5: 's' };

const mapped = (text: string, table: Readonly<Record<string, string>>): string =>
  text.replace(/[^a-z]/g, (char) => table[char] ?? char);

const ASCII_LETTERS = /^[\x20-\x7e]*$/;

/** Returns a text as a reader perceives it: in lower case, without accents, in Latin letters. */
export const toLatin = (text: string): string =>
  ASCII_LETTERS.test(text)
    ? text.toLowerCase()
    : mapped(
        text.replace(/[™℠]/g, '').normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase(),
        LATIN_FOR,
      ).normalize('NFC');

/** Like `toLatin`, but for a domain label, in which digits can be mistaken for letters too. */
export const toSkeleton = (label: string): string =>
  mapped(toLatin(label), DIGIT_FOR).replace(/rn/g, 'm').replace(/vv/g, 'w');

/**
 * Like `toSkeleton`, but with the most easily confused letters merged, as a hasty reader would read the word.
 */
export const toFolded = (label: string): string =>
  toSkeleton(label).replace(/[i|!]/g, 'l').replaceAll('4', 'a').replaceAll('8', 'b');

const ALIKE = Object.keys(LATIN_FOR)
  .filter((char) => !/\p{Script=Latin}/u.test(char))
  .join('');

/**
 * Matches a Latin letter right after a letter that only looks Latin. A small Greek letter before a Latin
 * capital is a symbol, as in `NF-κB`.
 */
const MIXED = new RegExp(
  `(?!(?=\\p{Ll})\\p{Script=Greek}\\p{Lu})[${ALIKE}${ALIKE.toUpperCase()}]\\p{Script=Latin}`,
  'u',
);
const ALL_LATIN = new RegExp(`^[\\p{Script=Latin}\\p{M}${ALIKE}${ALIKE.toUpperCase()}]+$`, 'u');

/**
 * Matches a name that is made of a Cyrillic and a Latin word, as in `ТехноLine`. Its small letters в, к, м, н, т
 * or ь show that the first word is Cyrillic.
 */
const COINED =
  /^\p{Script=Cyrillic}+(?<=[вкмнть]\p{Script=Cyrillic}{0,30})(?=\p{Lu})\p{Script=Latin}+$/u;

/**
 * Returns whether a word mixes scripts in a way that readers cannot see. A Latin word with a suffix in
 * another script does not count, because its other letters come last. Neither does a word in another script
 * with one letter typed on the wrong keyboard.
 */
export const hasMixedWord = (text: string): boolean =>
  text
    .split(/[^\p{L}\p{M}]+/u)
    .some((one) => ALL_LATIN.test(one) && MIXED.test(one) && !COINED.test(one));

// Matches zero-width spaces, word joiners, byte order marks and variation selectors between Latin letters. A
// small letter before and a capital after them are the parts of a name such as `WindProfile`.
const HIDDEN =
  /[a-z](?:\u200b|\u2060|\ufeff|[\ufe00-\ufe0f])+[a-z]|[A-Z](?:\u200b|\u2060|\ufeff|[\ufe00-\ufe0f])+[a-zA-Z]/gu;

/** With at least this many words, invisible characters within words are no accident. */
const MANY_HIDDEN = 3;

/** Returns whether invisible characters split words, so that filters cannot read them. */
export const hasSplitWords = (text: string): boolean =>
  (text.match(HIDDEN)?.length ?? 0) >= MANY_HIDDEN;
