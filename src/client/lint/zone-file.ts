/** Parses DNS zone files (RFC 1035 §5), and the output of `dig`. */

import { usageError } from '../exit.ts';

/** A record in a zone file. Its names are in lower case, without a final dot; the root is `.`. */
export interface ZoneFileRecord {
  readonly name: string;
  /** Type of the record in capitals; any type is allowed. */
  readonly type: string;
  /** Data of the record, for example the strings of TXT, or the preference and host of MX. */
  readonly fields: readonly string[];
}

/** Types whose last field is a domain name, which is relative to the origin unless it ends with a dot. */
const NAMES: ReadonlySet<string> = new Set(['MX', 'PTR', 'CNAME', 'DNAME', 'NS']);

interface Token {
  readonly text: string;
  readonly quoted: boolean;
}

/**
 * Parses the records of a master file (RFC 1035 §5) in their order. This is the format that name servers use
 * and `dig` prints. The authority section of `dig` is skipped, because it is not part of the answer.
 *
 * @throws CommandError that names the line
 */
export function parseZoneFile(text: string): ZoneFileRecord[] {
  const records: ZoneFileRecord[] = [];
  let origin = '';
  let owner: string | null = null;
  for (const { tokens, line, indented } of entriesOf(text.replace(/^\ufeff/, ''))) {
    const [first, second] = tokens;
    const fail = (what: string) =>
      usageError(`The zone file has an error in line ${line}: ${what}.`);
    if (!first) continue;
    if (!first.quoted && first.text.toUpperCase() === '$ORIGIN') {
      if (!second) throw fail('$ORIGIN must be followed by a name');
      origin = absolute(second.text, origin);
      continue;
    }
    if (!first.quoted && first.text.startsWith('$')) continue;
    if (!indented) owner = absolute(first.text, origin);
    if (owner === null) throw fail('it has no name, and no line above it has one');
    const { type, fields } = readData(indented ? tokens : tokens.slice(1));
    if (type === undefined)
      throw fail('a record is NAME TYPE DATA, such as example.com. A 192.0.2.1');
    if (fields.length < (type === 'MX' ? 2 : 1)) throw fail(`the ${type} record has no data`);
    records.push({
      name: owner,
      type,
      fields: NAMES.has(type)
        ? [...fields.slice(0, -1), absolute(fields.at(-1) ?? '', origin)]
        : fields,
    });
  }
  return records;
}

/**
 * Parses the part of a record after its name: TTL and class, which are optional and in either order, then the
 * type and the data.
 */
function readData(tokens: readonly Token[]) {
  const at = tokens.findIndex(
    ({ text, quoted }) => quoted || !/^(?:\d+|(?:\d+[smhdw])+|IN|CH|HS)$/i.test(text),
  );
  const head = tokens[at];
  return {
    type:
      head && !head.quoted && /^[A-Z][A-Z0-9]*$/i.test(head.text)
        ? head.text.toUpperCase()
        : undefined,
    fields: tokens.slice(at + 1).map(({ text }) => text),
  };
}

function absolute(name: string, origin: string): string {
  const lower = name.toLowerCase();
  if (lower === '.') return '.';
  if (lower === '@') return origin === '' ? '.' : origin;
  if (lower.endsWith('.')) return lower.slice(0, -1);
  // In a file without an origin, people write names in full even without a final dot.
  return origin === '' || origin === '.' ? lower : `${lower}.${origin}`;
}

interface Entry {
  readonly tokens: readonly Token[];
  readonly line: number;
  /** True if the line begins with a space, so that the record has the same name as the one above. */
  readonly indented: boolean;
}

/** Matches the line that `dig` prints above each section of an answer. */
const SECTION = /^;; (\w+) (?:PSEUDO)?SECTION:/;

/**
 * Yields the entries of a file without comments. Everything within one pair of parentheses is a single entry.
 */
function* entriesOf(text: string): Generator<Entry> {
  let tokens: Token[] = [];
  let depth = 0;
  let start = 0;
  let indented = false;
  let section = '';
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    // A blank line ends a section of the output of `dig`.
    section = SECTION.exec(line)?.[1] ?? (line.trim() === '' ? '' : section);
    if (section === 'AUTHORITY') continue;
    if (depth === 0) {
      tokens = [];
      start = index + 1;
      indented = /^\s/.test(line);
    }
    for (const token of tokensOf(line)) {
      if (!token.quoted && token.text === '(') depth += 1;
      else if (!token.quoted && token.text === ')') depth = Math.max(0, depth - 1);
      else tokens.push(token);
    }
    if (depth === 0) yield { tokens, line: start, indented };
  }
  if (depth > 0)
    throw usageError(`The zone file has an error in line ${start}: a ( is never closed.`);
}

const TOKEN = /"((?:[^"\\]|\\.)*)"|;.*|([()])|((?:[^\s()";\\]|\\.)+)/g;

function* tokensOf(line: string): Generator<Token> {
  for (const [whole, quoted, bracket, plain] of line.matchAll(TOKEN)) {
    if (whole.startsWith(';')) return;
    yield { text: readEscapes(quoted ?? bracket ?? plain ?? ''), quoted: quoted !== undefined };
  }
}

/**
 * Replaces escapes: `\DDD` is the byte with that decimal value, and any other `\X` is X. The bytes are
 * decoded as UTF-8.
 */
function readEscapes(text: string): string {
  if (!text.includes('\\')) return text;
  const bytes: number[] = [];
  for (const [, code, own, plain] of text.matchAll(/\\(\d{3})|\\(.)|([^\\]+)/gu)) {
    if (code !== undefined) bytes.push(Number(code) & 0xff);
    else bytes.push(...Buffer.from(own ?? plain ?? ''));
  }
  return Buffer.from(bytes).toString();
}
