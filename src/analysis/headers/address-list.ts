/** Parses lists of email addresses in header fields such as From and To. */

import { isIpv4Text, toDomain } from '../names/domain-names.ts';

/** A lexical token of an address field (RFC 5322 §3.2). */
interface Token {
  readonly kind: 'atom' | 'quoted' | 'literal' | 'comment' | 'special' | 'bad';
  readonly text: string;
  /** True if white space comes before the token. */
  readonly spaced: boolean;
}

const SPECIALS = '<>@,;:.';
const isSpace = (char: string) => char === ' ' || char === '\t';

// Matches control characters, and delimiters that are not allowed on their own.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must find control characters
const BAD = /[\x00-\x08\x0a-\x1f\x7f()[\]\\"]/;

/**
 * Returns the text up to the closing delimiter, without the escaping backslashes, or null if the delimiter is
 * missing.
 */
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

/**
 * Returns the text of a comment, or null if the comment is not closed. Comments can be nested (RFC 5322
 * §3.2.2), so levels are counted instead of using recursion.
 */
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

/**
 * Splits an unfolded value into tokens in a single pass. If a delimiter is never closed, the rest of the text
 * becomes one `bad` token.
 */
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

/** A mailbox in an address field. `local` and `displayName` never leave the code that reads the email. */
export interface Mailbox {
  readonly local: string;
  /**
   * The domain in A-labels. Null if it is not a valid domain name, or if it is an IP address, with or without
   * brackets.
   */
  readonly domain: string | null;
  /** The display name as written, including encoded-words. Empty if there is none. */
  readonly displayName: string;
  /**
   * Unusual forms of the address. `dot_at_end` means a dot at the end of the domain, and `route` means an
   * obsolete list of hosts before the address.
   */
  readonly oddities: readonly ('dot_at_end' | 'route')[];
}

export interface AddressList {
  readonly mailboxes: readonly Mailbox[];
  /** Number of list elements that are not addresses. */
  readonly unparsable: number;
  /**
   * Pieces of a display name that comes before the only mailbox. The name is not in quotation marks, so it
   * was split at a comma, colon or semicolon.
   */
  readonly namePieces: readonly string[];
  /** Number of groups without members, such as `undisclosed-recipients:;`. */
  readonly emptyGroups: number;
  /** Number of groups in the list, including empty ones. */
  readonly groups: number;
  /** Number of commas with no address before or after them, which is an obsolete form (RFC 5322 §4.4). */
  readonly emptyElements: number;
  readonly comments: readonly string[];
}

const is = (token: Token | undefined, special: string) =>
  token?.kind === 'special' && token.text === special;

const isWord = (token: Token) => token.kind === 'quoted' || token.kind === 'atom' || is(token, '.');

/**
 * Parses an addr-spec (RFC 5322 §3.4.1), including its obsolete form with spaces around dots (§4.4). Returns
 * null if the tokens are not an addr-spec.
 */
const addrSpec = (tokens: readonly Token[]): Omit<Mailbox, 'displayName'> | null => {
  const at = tokens.findLastIndex((token) => is(token, '@'));
  const local = tokens.slice(0, at);
  const domain = tokens.slice(at + 1);
  if (at < 1 || domain.length === 0 || !local.every(isWord)) return null;
  // Two adjacent words without a dot between them are a phrase and not a local part.
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
 * Removes the route from an address such as `<@a.example,@b.example:user@c.example>`. A route is obsolete and
 * has no effect (§4.4).
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

/** Parses an address list (RFC 5322 §3.4) in a single pass over its tokens. Never throws. */
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
      // An address without angle brackets cannot have a display name.
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
  // A group ends with a semicolon. If there is none, the colon belongs to a display name.
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
