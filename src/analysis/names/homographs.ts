import { toUnicodeLabel } from './punycode.ts';

const SCRIPTS = [
  ['Latin', /\p{Script=Latin}/u],
  ['Cyrillic', /\p{Script=Cyrillic}/u],
  ['Greek', /\p{Script=Greek}/u],
  ['Armenian', /\p{Script=Armenian}/u],
  ['Hebrew', /\p{Script=Hebrew}/u],
  ['Arabic', /\p{Script=Arabic}/u],
  ['Devanagari', /\p{Script=Devanagari}/u],
  ['Thai', /\p{Script=Thai}/u],
  ['Georgian', /\p{Script=Georgian}/u],
  ['Cherokee', /\p{Script=Cherokee}/u],
  ['Han', /\p{Script=Han}/u],
  ['Hiragana', /\p{Script=Hiragana}/u],
  ['Katakana', /\p{Script=Katakana}/u],
  ['Bopomofo', /\p{Script=Bopomofo}/u],
  ['Hangul', /\p{Script=Hangul}/u],
] as const;

/** UTS #39 §5.2, "highly restrictive": what is written together in East Asia. */
const TOGETHER: readonly (readonly string[])[] = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
];

/** Letters of other scripts that look like Latin ones (UTS #39 confusables, lower case). */
const LATIN_ALIKE = new Set('аеорсухіјѕһԁԛԝвкмнтԍӏьꙅαοντρυικωγχսոօհցզք');

/** Latin letters that pass for plain ones. */
const ASCII_ALIKE = /[ıɑɡɩʟɴᴀᴄᴇᴏᴜᴠᴡᴢⅼƅƽɪʏ]|\p{M}/u;

/** How a name shows: as ASCII, as one script, or as something to be mistaken. */
export type IdnShape = 'ascii' | 'single_script' | 'suspicious';

const scriptsOf = (label: string) =>
  SCRIPTS.filter(([, pattern]) => pattern.test(label)).map(([name]) => name);

const isSuspicious = (label: string): boolean => {
  const scripts = scriptsOf(label);
  const allowed = TOGETHER.some((set) => scripts.every((script) => set.includes(script)));
  if (scripts.length > 1) return !allowed;
  if (scripts[0] === 'Latin') return ASCII_ALIKE.test(label);
  const letters = [...label].filter((char) => /\p{L}/u.test(char));
  return letters.length > 0 && letters.every((char) => LATIN_ALIKE.has(char));
};

/** Of a name in A-labels. */
export const judgeIdn = (domain: string): IdnShape => {
  const labels = domain.split('.').filter((label) => label.startsWith('xn--'));
  if (labels.length === 0) return 'ascii';
  const shown = labels.map(toUnicodeLabel);
  const undecodable = shown.some((label, i) => label === labels[i]);
  return undecodable || shown.some(isSuspicious) ? 'suspicious' : 'single_script';
};
