/** Parses lists of addresses in header fields. */

import { isIpv4Text, toDomain } from '../names/domain-names.ts';

/** A lexical piece of an address field (RFC 5322 §3.2). */
interface Token {
  readonly kind: 'atom' | 'quoted' | 'literal' | 'comment' | 'special' | 'bad';
  readonly text: string;
  /** There was space before it. */
  readonly spaced: boolean;
}

const SPECIALS = '<>@,;:.';
const isSpace = (char: string) => char === ' ' || char === '\t';

// Control characters, and delimiters that cannot stand alone.
// biome-ignore lint/suspicious/noControlCharactersInRegex: controls are what it looks for
const BAD = /[\x00-\x08\x0a-\x1f\x7f()[\]\\"]/;

/** Returns the text up to the closing delimiter, with escapes resolved, or null if it never closes. */
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

/** Comments nest (RFC 5322 §3.2.2). Levels are counted, without recursion. */
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

/** Splits an unfolded value into tokens, in one pass. Anything that never closes is one `bad` token. */
const addressTokens = (text: string): Token[] => {
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

/** A mailbox. `local` and `displayName` never leave the code that reads the email. */
export interface Mailbox {
  readonly local: string;
  /** In A-labels. Null if the domain is not valid, or is an IP address, bare or as a literal. */
  readonly domain: string | null;
  /** As written, including encoded-words. Empty if it has no name. */
  readonly displayName: string;
  /** `dot_at_end` concerns the domain. `route` means hosts before the address, which is obsolete. */
  readonly oddities: readonly ('dot_at_end' | 'route')[];
}

export interface AddressList {
  readonly mailboxes: readonly Mailbox[];
  /** Number of elements that are not an address. */
  readonly unparsable: number;
  /**
   * Words before the only mailbox: a display name that was cut at a comma, colon or semicolon outside
   * quotation marks.
   */
  readonly namePieces: readonly string[];
  /** Number of groups without a member, such as `undisclosed-recipients:;`. */
  readonly emptyGroups: number;
  /** Number of groups, including empty ones. */
  readonly groups: number;
  /** Number of commas without an address before or after them, an obsolete form (RFC 5322 §4.4). */
  readonly emptyElements: number;
  readonly comments: readonly string[];
}

const is = (token: Token | undefined, special: string) =>
  token?.kind === 'special' && token.text === special;

const isWord = (token: Token) => token.kind === 'quoted' || token.kind === 'atom' || is(token, '.');

/** Reads an addr-spec (RFC 5322 §3.4.1), with the spaces and dots of its obsolete form (§4.4). */
const addrSpec = (tokens: readonly Token[]): Omit<Mailbox, 'displayName'> | null => {
  const at = tokens.findLastIndex((token) => is(token, '@'));
  const local = tokens.slice(0, at);
  const domain = tokens.slice(at + 1);
  if (at < 1 || domain.length === 0 || !local.every(isWord)) return null;
  // Two adjacent words without a dot are a phrase, not a local part.
  if (local.some((token, i) => !is(token, '.') && i > 0 && !is(local[i - 1], '.'))) return null;
  const literal = domain.length === 1 && domain[0]?.kind === 'literal';
  if (!literal && !domain.every((token) => token.kind === 'atom' || is(token, '.'))) return null;
  if (
    !literal &&
    domain.some((token, i) => token.kind === 'atom' && domain[i - 1]?.kind === 'atom')
  )
    return null;
  const joined = (parts: readonly Token[]) => parts.map(({ text }) => text).join('');
  const name = joined(domain);
  return {
    local: joined(local),
    domain: literal || isIpv4Text(name) ? null : toDomain(name),
    oddities: !literal && name.endsWith('.') ? ['dot_at_end'] : [],
  };
};

/**
 * Removes the route from `<@a.example,@b.example:user@c.example>`. It is obsolete and means nothing (§4.4).
 */
const withoutRoute = (tokens: readonly Token[]) => {
  const colon = is(tokens[0], '@') ? tokens.findIndex((token) => is(token, ':')) : -1;
  return colon === -1 ? tokens : tokens.slice(colon + 1);
};

const textOf = (tokens: readonly Token[]): string =>
  tokens
    .map(({ text, spaced }) => (spaced ? ` ${text}` : text))
    .join('')
    .trim();

const mailbox = (tokens: readonly Token[]): Mailbox | null => {
  const open = tokens.findIndex((token) => is(token, '<'));
  if (open === -1) {
    const spec = addrSpec(tokens);
    return spec && { ...spec, displayName: '' };
  }
  const last = tokens.length - 1;
  if (!is(tokens[last], '>')) return null;
  const inside = tokens.slice(open + 1, last);
  const plain = withoutRoute(inside);
  const spec = addrSpec(plain);
  const displayName = textOf(tokens.slice(0, open));
  if (!spec) return null;
  const oddities = plain === inside ? spec.oddities : (['route', ...spec.oddities] as const);
  return { ...spec, displayName, oddities };
};

/** Parses an address list (RFC 5322 §3.4) in one pass over its tokens. Never throws. */
export const parseAddressList = (value: string): AddressList => {
  const mailboxes: Mailbox[] = [];
  const comments: string[] = [];
  let unparsable = 0;
  const namePieces: string[] = [];
  let emptyGroups = 0;
  let groups = 0;
  let emptyElements = 0;
  let isAfterComma = true;
  let current: Token[] = [];
  let inAngle = false;
  let groupStart: number | null = null;
  let groupName = '';

  const finish = () => {
    if (current.length === 0) return;
    const found = current.some(({ kind }) => kind === 'bad') ? null : mailbox(current);
    if (found) {
      // An address without angle brackets does not have a display name.
      if (!current.some((token) => is(token, '<'))) namePieces.length = 0;
      mailboxes.push(found);
    } else {
      unparsable++;
      if (mailboxes.length === 0 && current.every(isWord)) namePieces.push(textOf(current));
    }
    current = [];
  };

  for (const token of addressTokens(value)) {
    if (token.kind === 'comment') comments.push(token.text);
    else if (is(token, ',') && !inAngle) {
      if (isAfterComma && current.length === 0) emptyElements++;
      finish();
      isAfterComma = true;
      continue;
    } else if (is(token, ':') && !inAngle && groupStart === null) {
      groupStart = mailboxes.length + unparsable;
      groupName = textOf(current);
      groups++;
      current = [];
    } else if (is(token, ';') && !inAngle) {
      finish();
      if (groupStart === mailboxes.length + unparsable) emptyGroups++;
      groupStart = null;
    } else {
      if (is(token, '<')) inAngle = true;
      if (is(token, '>')) inAngle = false;
      current.push(token);
    }
    if (token.kind !== 'comment') isAfterComma = false;
  }
  if (isAfterComma && current.length === 0 && mailboxes.length > 0) emptyElements++;
  // A group ends with a semicolon. Without one, the colon belongs to a name.
  const isColon = groupStart !== null && current.some((token) => is(token, '<'));
  finish();
  if (isColon && mailboxes.length === 1 && groupName !== '') {
    namePieces.unshift(groupName);
    groups--;
  }
  return {
    mailboxes,
    unparsable,
    namePieces: mailboxes.length === 1 ? namePieces : [],
    emptyGroups,
    groups,
    emptyElements,
    comments,
  };
};
