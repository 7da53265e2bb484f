/**
 * Decides whether a term of an SPF record means what its author intended, corrects misspelled terms, such as
 * `incldue:`, by a table of typos, and joins terms that spaces split.
 */

import { decodeEntities } from '../syntax/tag-list.ts';
import { readRange } from './address-range.ts';
import { isMechanism, isValidTerm, parseTerm, type SpfTerm } from './parse.ts';

/**
 * Matches quotation marks, brackets around addresses, and the characters that escape others in a DNS panel or
 * a shell.
 */
const QUOTES = /["“”„‟‘’‚‛«»`´\\<>]/g;

/** Matches characters that typesetting substitutes for a hyphen. `TILDES` matches those for a tilde. */
const DASHES = /[\u00ad\u2010-\u2015\u2212\ufe58\ufe63\uff0d]+/g;
const TILDES = /[\u02dc\u223c\uff5e]+/g;

/**
 * Returns a text with the plain characters that were intended, and without quotation marks and backslashes.
 */
const withPlainSigns = (text: string): string =>
  decodeEntities(text)
    .replace(QUOTES, '')
    .replace(DASHES, '-')
    .replace(TILDES, '~')
    .replace(/[^\x21-\x7e]+/g, ' ')
    .trim();

const SIGN = '([-~?+]?)';
const IP4 = '((?:\\d{1,3}\\.){3}\\d{1,3}(?:/\\d{1,2})?)';
const IP6 = '((?=[0-9a-f.]*:[0-9a-f.]*:)[0-9a-f:.]+(?:/\\d{1,3})?)';
const HOST = '([a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?)';
const LISTING = '(?:include|exists|redirect|hostname|host|mx|ptr|a)';
const NAMES = ['include', 'redirect', 'exists'];

type Typo = readonly [typo: RegExp, meant: string | ((...groups: string[]) => string)];

const whole = (...parts: string[]): RegExp => new RegExp(`^${parts.join('')}$`, 'i');

/**
 * Patterns of misspelled terms, with their meanings. The first row applies whose result is a term, or becomes
 * one through another row. No row authorizes more than was written: a mangled `all` closes the record, and a
 * term that excludes servers still does.
 */
const TYPOS: readonly Typo[] = [
  // An `all` that is misspelled or has other characters around it. It closes the record softly, unless it has
  // a qualifier.
  [/^([-~?])\1+all$/i, '$1all'],
  [/^([^a-z0-9]*)al+(?:[^a-z0-9].*)?$/i, (sign) => `${/^[-~?]$/.test(sign) ? sign : '~'}all`],
  // An address after `ipv4:`, `ip:`, `ip4=` or `ip4`, after the name of the other family, after the name of a
  // term for host names, or on its own.
  [whole(SIGN, LISTING, '[:=]+(?:[a-z]+://)?', IP4, '(?:[:/].*)?'), '$1ip4:$2'],
  [whole(SIGN, LISTING, '[:=]+\\[?', IP6, '\\]?'), '$1ip6:$2'],
  [whole(SIGN, '(?:ip[-_]?v?[46]?[:=._/-]*)?\\[?', IP4, '(?:[\\].]|:\\d+)*'), '$1ip4:$2'],
  [whole(SIGN, '(?:ip[-_]?v?[46]?[:=._/-]+)?\\[?', IP6, '\\]?'), '$1ip6:$2'],
  // A mask, asterisks, or one digit too many after a network address.
  [/^(.*\.\d{1,3})\.\*$/, '$1.0/24'],
  [/^(.*\.\d{1,3})\.\*\.\*$/, '$1.0.0/16'],
  [/^(.*)\/((?:\d{1,3}\.){3}\d{1,3})$/, (network, mask) => `${network}/${bitsOf(mask)}`],
  [/^(.*\.0\/\d\d)\d$/, '$1'],
  // An impossible prefix length after an address that is not a network address. It is removed.
  [/^([-~?+]?ip4:(?:\d{1,3}\.){3}(?!0\b)\d{1,3})\/\d+$/i, '$1'],
  [/^([-~?+]?(?:a|mx)(?::[^/]+)?)\/.*$/i, '$1'],
  // A host name where an address belongs, or after `host:`.
  [whole(SIGN, '(?:ip[46]|host|hostname)[:=]+(?=[^/]*[g-z])', HOST, '\\.?'), '$1a:$2'],
  // A wrong separator between name and value: `=`, `::`, `:` instead of `=`, or none.
  [/^([-~?+]?(?:include|exists|ptr|mx|a|ip[46]))[:=]+(?=[^:=])(.*)$/i, '$1:$2'],
  [/^(redirect|exp)[:=]+(?=[^:=])(.*)$/i, '$1=$2'],
  [whole(SIGN, '(include|exists)[./-]*', HOST), '$1$2:$3'],
  // A URL, an email address, a port or a path where a domain name belongs.
  [
    /^([-~?+]?(?:include|exists|mx|a):|redirect=)(?:[a-z]+:\/*)?(?:[^@/]*@)?([a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?)\.?(?::\d+)?(?:\/.*)?$/i,
    '$1$2',
  ],
  [/^([-~?+]?(?:include|exists|mx|a):|redirect=)(.*[^.,;:!])[.,;:!]+$/i, '$1$2'],
  // The name of a term with one or two wrong letters.
  [
    whole(SIGN, '([a-z]{5,10})[:=./-]+', HOST),
    (sign, name, host) => `${sign}${NAMES.find((one) => isNearly(name, one)) ?? name}:${host}`,
  ],
];

/** Returns the number of bits of a mask such as 255.255.255.0. */
function bitsOf(mask: string): string {
  const bits = mask.split('.').map((octet) => Number(octet).toString(2).padStart(8, '0'));
  return /^(1*)0*$/.exec(bits.join(''))?.[1]?.length.toString() ?? mask;
}

/** Returns whether two words differ by at most two letters that were added, left out or changed. */
function isNearly(word: string, name: string): boolean {
  let row = Array.from({ length: name.length + 1 }, (_, at) => at);
  for (const [i, letter] of [...word.toLowerCase()].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...name].entries())
      next.push(
        Math.min(
          (next[j] ?? 0) + 1,
          (row[j + 1] ?? 0) + 1,
          (row[j] ?? 0) + Number(letter !== other),
        ),
      );
    row = next;
  }
  return (row.at(-1) ?? 3) <= 2;
}

/**
 * Patterns of places where a space is missing: before a term that has a name and a separator, before a term
 * that ends the record, after an address, and between terms that consist of a name only.
 */
const WELDS: readonly RegExp[] = [
  /(?<=[^\s~?+-])(?=[~?+-]?(?:include|exists|ip[46]|ptr|mx|(?<![\d:])a):|(?:redirect|exp)=|[-~?+]all$)/gi,
  /(?<=^[-~?+]?ip4:(?:\d{1,3}\.){3}\d{1,3}(?:\/\d{1,2})?)(?=[a-z~?+-])(?!-\d)/gi,
  /(?<=^[-~?+]?(?:a|mx|ptr))(?=[-~?+]?(?:a|mx|ptr|all)(?:[:/]|$))/gi,
];

/**
 * Number of table rows that may be applied to one term. `MAX_WELDED` limits the terms that are read in one
 * text, and `MAX_TEXT` the length of that text in characters.
 */
const MAX_STEPS = 2;
const MAX_WELDED = 20;
export const MAX_TEXT = 512;

/**
 * Returns whether a term has the name of a mechanism, or nearly so, but the separator of a modifier.
 * Receivers then ignore the term.
 */
const isMistaken = ({ kind, name }: SpfTerm): boolean =>
  kind === 'modifier' &&
  name !== 'redirect' &&
  (isMechanism(name) || NAMES.some((one) => isNearly(name, one)));

/**
 * Returns whether a mechanism is really a single term. The grammar also accepts values with characters that
 * do not occur in names.
 */
const isOne = ({ name, value }: SpfTerm): boolean =>
  name === 'ip4' ||
  name === 'ip6' ||
  !(/[-~?+]all$/i.test(value) || (!value.includes('%') && /[:,;=@<>]/.test(value)));

/** Returns whether a term means to receivers what it means to people. */
export const isSound = (text: string): boolean => {
  const term = parseTerm(text);
  return isValidTerm(term) && !isMistaken(term) && (term.kind !== 'mechanism' || isOne(term));
};

/**
 * Returns the term, or several terms, that a text was most likely intended to be. Empty if the text is
 * punctuation. Null if only its author knows, for example because a bare name has two possible meanings.
 */
export function readTerm(text: string): string | null {
  if (isSound(text)) return text;
  const plain = text.length > MAX_TEXT ? '' : withPlainSigns(text);
  const read = text.length > MAX_TEXT ? null : readAll(plain);
  // The grammar accepts the text, but only the DNS shows whether it leads anywhere.
  return read ?? (isValidTerm(parseTerm(text)) ? text : null);
}

function readAll(plain: string): string | null {
  const pieces = joinPieces(plain.split(plain.includes('%') ? /\s+/ : /[\s,;|]+/));
  const head = /^[-~?+]?[a-z][a-z0-9]*[:=]/i.exec(plain)?.[0] ?? '';
  const all = pieces
    .filter((piece) => /[a-z0-9]/i.test(piece))
    .map((piece) => readPiece(piece) ?? readBy(head + piece, MAX_STEPS));
  // An `all` that lost its qualifier must not authorize everyone.
  return all.every((piece) => piece !== null)
    ? all.join(' ').replace(/(?<=^|\s)\+?all(?=\s|$)/gi, '~all')
    : null;
}

function readPiece(text: string): string | null {
  const range = readRange(text);
  if (range !== null) return range;
  const pieces = WELDS.reduce(
    (split, weld) => split.flatMap((one) => one.replace(weld, ' ').split(' ')),
    [text],
  );
  if (pieces.length <= MAX_WELDED && pieces.every(isSound)) return pieces.join(' ');
  const alone = readBy(text, 1) ?? readBy(text, MAX_STEPS);
  if (alone !== null || pieces.length > MAX_WELDED) return alone;
  const all = pieces.map((piece) => readBy(piece, MAX_STEPS));
  return all.every((piece) => piece !== null) ? all.join(' ') : null;
}

/** Reads one term by at most `steps` rows of the table. The first row that leads to a term counts. */
function readBy(text: string, steps: number): string | null {
  if (isSound(text)) return text;
  if (steps === 0) return null;
  for (const [typo, meant] of TYPOS) {
    const changed = text.replace(typo, (...found: unknown[]) => apply(meant, found));
    const read = changed === text ? null : readBy(changed, steps - 1);
    if (read !== null) return read;
  }
  return null;
}

/**
 * Returns the replacement for one match. In `found`, the captured groups come before the offset of the match.
 */
function apply(meant: Typo[1], found: readonly unknown[]): string {
  const end = found.findIndex((one) => typeof one === 'number');
  const groups = found.slice(1, end).map((group) => String(group ?? ''));
  return typeof meant === 'function'
    ? meant(...groups)
    : meant.replace(/\$(\d)/g, (_, at: string) => groups[Number(at) - 1] ?? '');
}

/** Matches the name of a term whose value follows after a space. */
const OPEN_TERM = /^[-~?+]?(?:include|a|mx|ip4|ip6|exists|redirect)[:=]$/i;
const NAMED_TERM = /^[-~?+]?(?:include|a|mx|ip4|ip6|exists|redirect)[:=]/i;
const NAME_ALONE = /^[-~?+]?(?:include|ip4|ip6|exists|redirect)$/i;
const BARE_VALUE = /^[^:=~?+-][^=]*$/;

/** Returns whether a text is a valid mechanism. */
export const isTerm = (text: string): boolean => {
  const term = parseTerm(text);
  return term.kind === 'mechanism' && isValidTerm(term);
};

/**
 * Joins terms whose parts were separated by spaces. A qualifier on its own belongs to the next term, or to
 * `all` at the end of the record. A separator or value on its own belongs to the name before it.
 */
export function joinPieces(terms: readonly string[]): readonly string[] {
  const joined: string[] = [];
  let sign = '';
  for (const text of terms.map(plainSign)) {
    const last = joined.at(-1) ?? '';
    const isValue = BARE_VALUE.test(text) && !isTerm(text) && !NAMED_TERM.test(text);
    if (/^[-~?+]$/.test(text)) sign = text;
    else if (/^[:=]/.test(text) && /^[-~?+]?[a-z0-9]+$/i.test(last))
      joined.splice(-1, 1, last + text);
    else if (isValue && OPEN_TERM.test(last)) joined.splice(-1, 1, last + text);
    else if (isValue && NAME_ALONE.test(last)) joined.splice(-1, 1, `${last}:${text}`);
    else {
      if (!/^v=spf1$/i.test(text)) joined.push(/^[-~?+]/.test(text) ? text : sign + text);
      sign = '';
    }
  }
  return /[-~]/.test(sign) ? [...joined, `${sign}all`] : joined;
}

/**
 * Returns a text whose first character, if it is a typographic hyphen or tilde, is replaced by the plain one.
 */
const plainSign = (text: string): string =>
  text.replace(/^[\S]/u, (sign) => sign.replace(DASHES, '-').replace(TILDES, '~'));
