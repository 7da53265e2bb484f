/**
 * Decodes the labels of internationalized domain names, and recognizes names that can be mistaken for others.
 */

// Punycode parameters for domain labels (RFC 3492 §5).
const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;

const adapt = (delta: number, points: number, first: boolean): number => {
  let rest = first ? Math.floor(delta / DAMP) : delta >> 1;
  rest += Math.floor(rest / points);
  let k = 0;
  for (; rest > ((BASE - T_MIN) * T_MAX) >> 1; k += BASE) rest = Math.floor(rest / (BASE - T_MIN));
  return k + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW));
};

const digitOf = (char: string): number => {
  if (/^[a-z]$/.test(char)) return char.charCodeAt(0) - 0x61;
  return /^\d$/.test(char) ? char.charCodeAt(0) - 0x30 + 26 : Number.NaN;
};

/** Decodes the part of a lower-case A-label after `xn--`. Returns null if it is invalid (RFC 3492 §6.2). */
const decode = (encoded: string): string | null => {
  const dash = encoded.lastIndexOf('-');
  const out = [...encoded.slice(0, Math.max(dash, 0))];
  let at = dash + 1;
  let code = 128;
  let i = 0;
  for (let bias = 72; at < encoded.length; ) {
    const start = i;
    for (let weight = 1, k = BASE; ; k += BASE) {
      const digit = digitOf(encoded[at++] ?? '');
      if (Number.isNaN(digit) || i > 0x7fffffff) return null;
      i += digit * weight;
      const t = Math.min(Math.max(k - bias, T_MIN), T_MAX);
      if (digit < t) break;
      weight *= BASE - t;
    }
    bias = adapt(i - start, out.length + 1, start === 0);
    code += Math.floor(i / (out.length + 1));
    i %= out.length + 1;
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return null;
    out.splice(i++, 0, String.fromCodePoint(code));
  }
  return out.join('');
};

/**
 * Returns a label as people see it, in Unicode. Labels have at most 63 octets, so inserting characters in the
 * middle is cheap.
 */
export const toUnicodeLabel = (label: string): string =>
  label.startsWith('xn--') ? (decode(label.slice(4)) ?? label) : label;

const SCRIPTS = (
  'Latin Cyrillic Greek Armenian Hebrew Arabic Devanagari Thai ' +
  'Georgian Cherokee Han Hiragana Katakana Bopomofo Hangul'
)
  .split(' ')
  .map((name) => ({ name, pattern: new RegExp(`\\p{Script=${name}}`, 'u') }));

/** Groups of scripts that are written together in East Asia (UTS #39 §5.2, "highly restrictive"). */
const TOGETHER: readonly (readonly string[])[] = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
];

/** Letters of other scripts that look like Latin ones (UTS #39 confusables, lower case). */
const LATIN_ALIKE = new Set('аеорсухіјѕһԁԛԝвкмнтԍӏьꙅαοντρυικωγχսոօհցզք');

/** Matches Latin letters that can be mistaken for plain ones. */
const ASCII_ALIKE = /[ıɑɡɩʟɴᴀᴄᴇᴏᴜᴠᴡᴢⅼƅƽɪʏ]|\p{M}/u;

/**
 * The form in which a name is displayed: in ASCII, in one script, or in a way that can be mistaken for
 * another name.
 */
export type IdnShape = 'ascii' | 'single_script' | 'suspicious';

const scriptsOf = (label: string) =>
  SCRIPTS.filter(({ pattern }) => pattern.test(label)).map(({ name }) => name);

/** Returns whether all letters of a label look Latin although none is. */
const looksLatin = (label: string): boolean => {
  const letters = [...label].filter((char) => /\p{L}/u.test(char));
  return letters.length > 0 && letters.every((char) => LATIN_ALIKE.has(char));
};

/** Judges a label. A top-level domain such as `рф` shows the script of the labels before it. */
const isSuspicious = (label: string, ending: string): boolean => {
  const scripts = scriptsOf(label);
  const allowed = TOGETHER.some((set) => scripts.every((script) => set.includes(script)));
  if (scripts.length > 1) return !allowed;
  if (scripts[0] === 'Latin') return ASCII_ALIKE.test(label);
  const [script] = scriptsOf(ending);
  return looksLatin(label) && (script !== scripts[0] || looksLatin(ending));
};

/** Judges whether a domain name in A-labels can be mistaken for another one when it is displayed. */
export const judgeIdn = (domain: string): IdnShape => {
  const labels = domain.split('.').filter((label) => label.startsWith('xn--'));
  if (labels.length === 0) return 'ascii';
  const shown = labels.map(toUnicodeLabel);
  const undecodable = shown.some((label, i) => label === labels[i]);
  const ending = toUnicodeLabel(domain.slice(domain.lastIndexOf('.') + 1));
  return undecodable || shown.some((label) => isSuspicious(label, ending))
    ? 'suspicious'
    : 'single_script';
};
