/** A lexical piece of an address field (RFC 5322 §3.2). */
export interface Token {
  readonly kind: 'atom' | 'quoted' | 'literal' | 'comment' | 'special' | 'bad';
  readonly text: string;
  /** Space stood before it. */
  readonly spaced: boolean;
}

const SPECIALS = '<>@,;:.';
const isSpace = (char: string) => char === ' ' || char === '\t';

// Controls, and the delimiters that cannot stand alone.
// biome-ignore lint/suspicious/noControlCharactersInRegex: controls are what it looks for
const BAD = /[\x00-\x08\x0a-\x1f\x7f()[\]\\"]/;

/** The text up to the closing delimiter, escapes resolved; null: it never closes. */
const quotedFrom = (text: string, start: number, close: string) => {
  const out: string[] = [];
  for (let i = start + 1; i < text.length; i++) {
    const char = text[i] as string;
    if (char === close) return { text: out.join(''), end: i + 1 };
    if (char === '\\') out.push(text[++i] ?? '');
    else out.push(char);
  }
  return null;
};

/** Comments nest (RFC 5322 §3.2.2); counted, not recursed into. */
const commentFrom = (text: string, start: number) => {
  let depth = 0;
  for (let i = start; i < text.length; i++) {
    const char = text[i];
    if (char === '\\') i++;
    else if (char === '(') depth++;
    else if (char === ')' && --depth === 0) return { text: text.slice(start + 1, i), end: i + 1 };
  }
  return null;
};

const atomEnd = (text: string, start: number) => {
  let i = start;
  while (i < text.length) {
    const char = text[i] as string;
    if (isSpace(char) || SPECIALS.includes(char) || BAD.test(char)) break;
    i++;
  }
  return i;
};

const delimited = (text: string, at: number) => {
  switch (text[at]) {
    case '"':
      return { kind: 'quoted', piece: quotedFrom(text, at, '"') } as const;
    case '[':
      return { kind: 'literal', piece: quotedFrom(text, at, ']') } as const;
    case '(':
      return { kind: 'comment', piece: commentFrom(text, at) } as const;
    default:
      return null;
  }
};

/** Cuts an unfolded value into tokens, in one pass. What never closes is one `bad` token. */
export const addressTokens = (text: string): Token[] => {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; ) {
    const char = text[at] as string;
    const long = delimited(text, at);
    const spaced = isSpace(text[at - 1] ?? '');
    if (isSpace(char)) at++;
    else if (long?.piece) {
      tokens.push({ kind: long.kind, text: long.piece.text, spaced });
      at = long.piece.end;
    } else if (long) {
      tokens.push({ kind: 'bad', text: '', spaced });
      at = text.length;
    } else if (SPECIALS.includes(char)) {
      tokens.push({ kind: 'special', text: char, spaced });
      at++;
    } else {
      const end = atomEnd(text, at);
      tokens.push({
        kind: end > at ? 'atom' : 'bad',
        text: text.slice(at, Math.max(end, at + 1)),
        spaced,
      });
      at = Math.max(end, at + 1);
    }
  }
  return tokens;
};
