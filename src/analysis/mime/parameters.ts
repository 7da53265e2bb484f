import { bytesOf, decodeText } from '../syntax/charset.ts';
import { withoutComments } from '../syntax/comments.ts';
import { decodeWords } from '../syntax/encoded-words.ts';

/** A structured MIME field: `text/html; charset=utf-8`. */
export interface Parameterized {
  /** What stands before the first semicolon, in lower case. */
  readonly value: string;
  /** A Map: names come from the sender, `__proto__` among them. */
  readonly parameters: ReadonlyMap<string, string>;
  readonly repeated: boolean;
}

const MAX_PARAMETERS = 100;

/** Cuts at semicolons outside quoted strings. */
const pieces = (text: string): string[] => {
  const out: string[] = [];
  let start = 0;
  let quoted = false;
  for (let i = 0; i < text.length && out.length < MAX_PARAMETERS; i++) {
    const char = text[i];
    if (quoted && char === '\\') i++;
    else if (char === '"') quoted = !quoted;
    else if (char === ';' && !quoted) {
      out.push(text.slice(start, i));
      start = i + 1;
    }
  }
  if (out.length < MAX_PARAMETERS) out.push(text.slice(start));
  return out;
};

const unquoted = (text: string): string =>
  text.startsWith('"') ? text.replace(/^"|"$/g, '').replace(/\\(.)/g, '$1') : text;

const percentDecoded = (text: string): string =>
  text.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );

/** RFC 2231 §4: `charset'language'text`, percent-encoded. */
const extended = (text: string): string => {
  const first = text.indexOf("'");
  const second = first === -1 ? -1 : text.indexOf("'", first + 1);
  const charset = second === -1 ? 'utf-8' : text.slice(0, first) || 'utf-8';
  return decodeText(bytesOf(percentDecoded(text.slice(second + 1))), charset).text;
};

interface Section {
  readonly index: number;
  readonly encoded: boolean;
  readonly text: string;
}

/** RFC 2231 §3: `name*0*=`, `name*1=`, in any order. */
const assembled = (sections: readonly Section[]): string => {
  const inOrder = sections.toSorted((a, b) => a.index - b.index);
  const text = inOrder.map(({ text }) => text).join('');
  return inOrder.some(({ encoded }) => encoded) ? extended(text) : decodeWords(text).text;
};

/** Reads a value with parameters (RFC 2045 §5.1, RFC 2231). Never throws. */
export const parseParameters = (field: string): Parameterized => {
  const [head = '', ...rest] = pieces(withoutComments(field));
  const sections = new Map<string, Section[]>();
  let repeated = false;
  for (const piece of rest) {
    const equals = piece.indexOf('=');
    const name = piece.slice(0, Math.max(equals, 0)).trim().toLowerCase();
    const parts = /^([^*\s]{1,60})(?:\*(\d{1,3}))?(\*)?$/.exec(name);
    if (!parts?.[1]) continue;
    const section = {
      index: Number(parts[2] ?? 0),
      encoded: parts[3] !== undefined,
      text: unquoted(piece.slice(equals + 1).trim()),
    };
    const same = sections.get(parts[1]);
    if (!same) sections.set(parts[1], [section]);
    else if (same.some(({ index }) => index === section.index)) repeated = true;
    else same.push(section);
  }
  const parameters = new Map([...sections].map(([name, all]) => [name, assembled(all)]));
  return { value: head.trim().toLowerCase(), parameters, repeated };
};
