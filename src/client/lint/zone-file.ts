/** Parses zone files (RFC 1035 §5), and what `dig` prints. */

import { usageError } from '../exit.ts';

/** A record in a zone file. Names are in lower case, without a final dot; the root is `.`. */
export interface ZoneFileRecord {
  readonly name: string;
  /** Any type, in capitals. */
  readonly type: string;
  /** TXT: its strings; MX: preference and host. */
  readonly fields: readonly string[];
}

/** Types whose last field is a name, which is relative to the origin unless a dot ends it. */
const NAMES: ReadonlySet<string> = new Set(['MX', 'PTR', 'CNAME', 'DNAME', 'NS']);

interface Token {
  readonly text: string;
  readonly quoted: boolean;
}

/**
 * Reads the records of a master file (RFC 1035 §5) in their order, in the format that name servers keep and
 * `dig` prints. The authority section of `dig` is not part of an answer.
 *
 * @throws CommandError that names the line
 */
export function parseZoneFile(text: string): ZoneFileRecord[] {
  const records: ZoneFileRecord[] = [];
  let origin = '';
  let owner: string | null = null;
  for (const { tokens, line, indented } of entriesOf(text)) {
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

/** Reads what follows the name: TTL and class in either order, both optional, then type and data. */
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
  // Without an origin, names are written in full, as people write them.
  return origin === '' || origin === '.' ? lower : `${lower}.${origin}`;
}

interface Entry {
  readonly tokens: readonly Token[];
  readonly line: number;
  /** True if the record begins with a space, so that it has the same name as the record above. */
  readonly indented: boolean;
}

/** The line that `dig` writes above each part of an answer. */
const SECTION = /^;; (\w+) (?:PSEUDO)?SECTION:/;

/** Yields lines without comments. Everything in one pair of parentheses is one line. */
function* entriesOf(text: string): Generator<Entry> {
  let tokens: Token[] = [];
  let depth = 0;
  let start = 0;
  let indented = false;
  let section = '';
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    // A blank line ends a section.
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

/** `\DDD` is a byte by its decimal value, and any other `\X` is X. Bytes are read as UTF-8. */
function readEscapes(text: string): string {
  if (!text.includes('\\')) return text;
  const bytes: number[] = [];
  for (const [, code, own, plain] of text.matchAll(/\\(\d{3})|\\(.)|([^\\]+)/gu)) {
    if (code !== undefined) bytes.push(Number(code) & 0xff);
    else bytes.push(...Buffer.from(own ?? plain ?? ''));
  }
  return Buffer.from(bytes).toString();
}
