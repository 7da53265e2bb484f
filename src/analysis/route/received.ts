/**
 * Parses Received fields into the hops of an email's route, and reads the client's address and TLS version
 * from the field of one of our own servers.
 */

import { isAddress, isPublicAddress } from '../addresses.ts';
import { parseDate } from '../headers/date.ts';
import { isUnder } from '../names/domain-names.ts';
import { isGenericName } from '../names/generic-name.ts';
import { INTERNAL_NAME, isPublicHost } from '../names/host-name.ts';
import { fieldsNamed, type HeaderBlock } from '../syntax/header-block.ts';
import { wordSet } from '../syntax/words.ts';
import type { Hop, RouteFacts } from './facts.ts';
import { findFalseMailer } from './false-mailer.ts';

/**
 * Maximum length of a Received field that is read, in characters. Servers do not write longer fields, and a
 * longer one is ignored completely.
 */
const MAX_LENGTH = 4000;

/** Words that begin a clause of a Received field (RFC 5321 §4.4, RFC 8314 §7.4). */
const CLAUSES = wordSet('from by via with id for tls');

/**
 * Matches the protocol names in RFC 3848 and RFC 6531 §4.3. `PROTOCOLS` contains those that large providers
 * write instead.
 */
const MAIL_PROTOCOL = /^(?:UTF8)?(?:E?SMTP|LMTP)(S?)(A?)$/;
const PROTOCOLS = wordSet('HTTP HTTPS MAPI LOCAL');

/** Matches `TLSv1.3`, `TLS1_2` and `TLS1.3`, but not the name of a cipher. */
const TLS_VERSION = /\bTLS ?v?1(?:[._]([0-3]))?\b/i;

const IN_BRACKETS = /\[(?:ipv6:)?([^[\]]+)\]/i;
const IPV4 = /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])/;

type Clauses = ReadonlyMap<string, readonly string[]>;

/** Splits a field into words and complete comments. A comment that never closes is left out. */
function splitTokens(text: string): string[] {
  const tokens: string[] = [];
  let depth = 0;
  let start = 0;
  const end = (at: number) => {
    if (at > start) tokens.push(text.slice(start, at));
  };
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '(') {
      if (depth++ > 0) continue;
      end(at);
      start = at;
    } else if (char === ')' && depth > 0) {
      if (--depth > 0) continue;
      end(at + 1);
      start = at + 1;
    } else if (depth === 0 && (char === ' ' || char === '\t')) {
      end(at);
      start = at + 1;
    }
  }
  if (depth === 0) end(text.length);
  return tokens;
}

/** Returns the words and comments of each clause. If a clause is repeated, the first one counts. */
function toClauses(tokens: readonly string[]): Clauses {
  const clauses = new Map<string, string[]>();
  let current: string[] = [];
  for (const token of tokens) {
    const word = token.toLowerCase();
    if (CLAUSES.has(word)) {
      current = [];
      if (!clauses.has(word)) clauses.set(word, current);
    } else current.push(token);
  }
  return clauses;
}

const bare = (word: string): string => word.replace(/^[([]+|[)\].]+$/g, '');

const toHost = (word: string): string | null => {
  const name = bare(word).toLowerCase();
  return isPublicHost(name) && !INTERNAL_NAME.test(name) ? name : null;
};

/** Returns the client's address as the server saw it, which is usually in a comment. */
function addressIn(words: readonly string[]): string | null {
  const comments = words.filter((word) => word.startsWith('('));
  const texts = [...comments, ...words.filter((word) => !word.startsWith('('))];
  const found = texts.flatMap((text) => {
    const [, bracketed] = IN_BRACKETS.exec(text) ?? [];
    if (bracketed !== undefined && (isAddress(bracketed) || IPV4.test(bracketed))) return bracketed;
    const plain = bare(text);
    return IPV4.exec(text)?.[0] ?? (isAddress(plain) ? plain : []);
  });
  return found[0] ?? null;
}

/**
 * Returns the name that the server found for the client's address, or otherwise the name that the client
 * gave.
 */
function nameIn(words: readonly string[]): string | null {
  const [said = '', ...comments] = words;
  const candidates = [...comments.flatMap((comment) => comment.split(/[\s=]+/)), said];
  return candidates.map(toHost).find((name) => name !== null) ?? null;
}

function fromOf(words: readonly string[] | undefined) {
  if (words === undefined) return { from: null, kind: 'program' as const, address: null };
  const address = addressIn(words);
  const name = nameIn(words);
  // A name that a network assigned to a line is not kept, because it may identify a person's home.
  const from = name !== null && isGenericName(name, address) ? null : name;
  if (address !== null && isAddress(address) && !isPublicAddress(address))
    return { from, kind: 'private' as const, address };
  const isInside = name === null && words.some((word) => INTERNAL_NAME.test(word));
  if (isInside) return { from, kind: 'private' as const, address };
  return { from, kind: from === null ? ('unnamed' as const) : ('server' as const), address };
}

function protocolOf(words: readonly string[] = []) {
  const [first = '', ...rest] = words;
  const word = first.toUpperCase();
  const isMicrosoft = word === 'MICROSOFT' && rest[0]?.toUpperCase() === 'SMTP';
  const protocol = isMicrosoft ? 'SMTP' : word;
  const mail = MAIL_PROTOCOL.exec(protocol);
  return {
    protocol: mail || PROTOCOLS.has(protocol) ? protocol : null,
    isMail: mail !== null,
    saysTls: mail?.[1] === 'S' || protocol === 'HTTPS',
    authenticated: mail?.[2] === 'A',
  };
}

/** Reads one Received field (RFC 5321 §4.4) in the forms that servers write. */
export const readHop = (value: string): Hop => read(value).hop;

/** Reads the client's address and TLS version from the Received field of one of our own mail servers. */
export function readOwnHop(value: string) {
  const { hop, address, saysTls } = read(value);
  return { address, tlsVersion: saysTls ? hop.tls_version : null };
}

function read(value: string) {
  const text = value.length > MAX_LENGTH ? '' : value;
  const semicolon = text.lastIndexOf(';');
  const at = semicolon === -1 ? null : (parseDate(text.slice(semicolon + 1))?.at ?? null);
  const tokens = splitTokens(semicolon === -1 ? text : text.slice(0, semicolon));
  const clauses = toClauses(tokens);
  const { from, kind, address } = fromOf(clauses.get('from'));
  const { protocol, isMail, saysTls, authenticated } = protocolOf(clauses.get('with'));
  const version = TLS_VERSION.exec(tokens.join(' '));
  const isEncrypted = saysTls || version !== null || clauses.has('tls');
  const isNowhere = address !== null && !isAddress(address);
  const hop: Hop = {
    from,
    from_kind: kind,
    by: toHost(clauses.get('by')?.[0] ?? ''),
    protocol,
    encrypted: isEncrypted || (isMail ? false : null),
    tls_version: version && `TLSv1.${version[1] ?? '0'}`,
    at: at === null ? null : new Date(at).toISOString(),
    crossesInternet: isMail && address !== null && isPublicAddress(address),
    authenticated,
    impossible: isNowhere ? 'address' : at === null ? 'date' : null,
  };
  return { hop, address, saysTls };
}

/**
 * Number of Received fields that are read. Receivers refuse an email with more because of the number alone.
 */
const MAX_HOPS = 50;

/** Reads the route of an email. `mailDomain` is the domain of the test addresses. */
export function readRoute(block: HeaderBlock, mailDomain: string): RouteFacts {
  const fields = fieldsNamed(block, 'received');
  const hops = fields.slice(0, MAX_HOPS).map(({ value }) => readHop(value));
  return {
    hops: hops.reverse(),
    total: fields.length,
    namesUs: hops.some(({ by }) => by !== null && isUnder(by, mailDomain)),
    falseMailer: findFalseMailer(block),
  };
}
