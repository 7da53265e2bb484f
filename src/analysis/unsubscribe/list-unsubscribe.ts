/**
 * Reads the header fields for unsubscribing and the markers of bulk email, and recognizes unsubscribe links.
 */

import { isPublicName, toDomain } from '../names/domain-names.ts';
import { isReachable } from '../names/reachable.ts';
import {
  fieldsNamed,
  firstNamed,
  type HeaderBlock,
  type HeaderField,
} from '../syntax/header-block.ts';
import { withoutComments } from '../syntax/words.ts';
import { hasPlaceholder } from '../text/template-fields.ts';
import { toOneLine } from '../text/words.ts';
import type { UnsubscribeFacts } from './facts.ts';
import words from './words.json' with { type: 'json' };

const AUTO_SUBMITTED = ['no', 'auto-generated', 'auto-replied', 'auto-notified'];
const BULK_PRECEDENCE = ['bulk', 'list', 'junk'];

/**
 * Returns the keyword of a header field, without its parameters. A word that the sender made up becomes
 * `other`.
 */
const keyword = (value: string | null, known: readonly string[]): string | null => {
  if (value === null) return null;
  const word = (value.split(/[;\s(]/, 1)[0] ?? '').toLowerCase();
  return known.includes(word) ? word : 'other';
};

/** Returns the identifier in a List-Id field (RFC 2919 §2) if it is a domain name. */
const listIdOf = (value: string | null): string | null => {
  if (value === null) return null;
  const open = value.lastIndexOf('<');
  const close = value.indexOf('>', open);
  const name = toDomain(open === -1 || close === -1 ? value : value.slice(open + 1, close).trim());
  return name?.includes('.') && isPublicName(name) ? name : null;
};

/** Reads the markers by which an email says that a machine wrote it, or that it belongs to a list. */
export const readMarkers = (
  block: HeaderBlock,
  about: { readonly noReply: boolean; readonly nullSender: boolean },
): Omit<UnsubscribeFacts['bulk'], 'isBulk' | 'mayBe'> => {
  const has = (name: string) => fieldsNamed(block, name.toLowerCase()).length > 0;
  return {
    automated: about.noReply || about.nullSender || has('X-Auto-Response-Suppress'),
    // Mail from the null sender reports on other mail or replies to it (RFC 5321 §4.5.5).
    isResponse: about.nullSender || has('In-Reply-To'),
    autoSubmitted: keyword(firstNamed(block, 'auto-submitted'), AUTO_SUBMITTED),
    precedence: keyword(firstNamed(block, 'precedence'), [...BULK_PRECEDENCE, 'first-class']),
    hasListId: has('List-Id'),
    listId: listIdOf(firstNamed(block, 'list-id')),
    hasFeedbackId: has('Feedback-ID'),
  };
};

/** Words for unsubscribing in many languages, in lower case. For languages that inflect, they are stems. */
const WORDS = Object.values(words).flat().map(toOneLine);

// Matches URLs for unsubscribing. Mailman names its pages after their content: the list, and the member's
// options.
const IN_URL =
  /unsub|opt-?out|abmeld|desabonn|desinscri|afmeld|uitschrijv|wypisz|preferences|email-settings|\/listinfo\/|\/mailman\/options\//i;

// Matches any word for unsubscribing in one pass. It is tested on every link, and one pass per word took
// twenty times as long.
const ANY_WORD = new RegExp(WORDS.map((word) => RegExp.escape(word)).join('|'));

/** Returns whether a text mentions unsubscribing. */
export const speaksOfUnsubscribing = (text: string): boolean => ANY_WORD.test(toOneLine(text));

/** Returns whether the URL of a link is named after unsubscribing. */
export const leadsToUnsubscribe = (href: string): boolean => IN_URL.test(href.slice(0, 2000));

interface Brackets {
  readonly uris: readonly string[];
  /** Texts between the URIs, without surrounding spaces. */
  readonly between: readonly string[];
}

/** Reads URIs in angle brackets, separated by commas, in one pass (RFC 2369 §2). */
const bracketed = (value: string): Brackets => {
  const uris: string[] = [];
  const between: string[] = [];
  let at = 0;
  for (;;) {
    const open = value.indexOf('<', at);
    const close = open === -1 ? -1 : value.indexOf('>', open);
    between.push(value.slice(at, close === -1 ? value.length : open).trim());
    if (close === -1) return { uris, between };
    uris.push(value.slice(open + 1, close));
    at = close + 1;
  }
};

const schemeOf = (uri: string) => uri.trim().slice(0, 8).split(':', 1)[0]?.toLowerCase() ?? '';

/**
 * Returns the host of an https URI, or null if it has none. Only the authority is examined, and nothing else
 * is kept.
 */
const httpsHost = (uri: string): string | null => {
  const authority =
    uri
      .trim()
      .slice('https://'.length)
      .split(/[/?#\\]/, 1)[0] ?? '';
  return toDomain(authority.slice(authority.lastIndexOf('@') + 1).split(':', 1)[0] ?? '');
};

const mailtoDomain = (uri: string): string | null => {
  const address = uri.trim().slice('mailto:'.length).split('?', 1)[0] ?? '';
  return address.includes('@') ? toDomain(address.slice(address.lastIndexOf('@') + 1)) : null;
};

const isMissingBrackets = ({ uris, between }: Brackets) =>
  uris.length === 0 || between.some((text) => /(?:https?:\/\/|mailto:)/i.test(text));

const hasWrongSeparator = ({ uris, between }: Brackets) =>
  uris.length > 1 && between.slice(1, -1).some((text) => !/^,[\s,]*$/.test(withoutComments(text)));

/**
 * Returns whether the value is exactly `List-Unsubscribe=One-Click`. Clients may ignore only a difference in
 * case (RFC 8058 §3.1).
 */
const isOneClick = ({ value }: HeaderField) =>
  value.replace(/\s/g, '').toLowerCase() === 'list-unsubscribe=one-click';

/**
 * Reads List-Unsubscribe-Post, which must appear once and have one value. If there are two, one client uses
 * the first and another uses the last.
 */
const readPost = (
  fields: readonly HeaderField[],
): Pick<UnsubscribeFacts['listUnsubscribe'], 'post' | 'postFault'> => {
  if (fields.length > 1) return { post: false, postFault: 'repeated' };
  const post = fields.some(isOneClick);
  return { post, postFault: post || fields.length === 0 ? null : 'value' };
};

/** Matches encoded-words, which are not allowed in List-Unsubscribe (RFC 2047 §5). */
const ENCODED_WORD = /=\?[\w*+-]{1,40}\?[bq]\?/i;

/** Returns whether a line ends within a URI, so that parsers see a space there. */
const isFoldedInside = ({ value, folds }: HeaderField): boolean =>
  folds.some((at) => {
    const open = value.lastIndexOf('<', at);
    const close = value.indexOf('>', at);
    if (open === -1 || close === -1 || value.lastIndexOf('>', at) > open) return false;
    return value.slice(open + 1, at).trim() !== '' && value.slice(at, close).trim() !== '';
  });

/** Matches the scheme of a URI (RFC 3986 §3.1). */
const SCHEME = /^\s*[a-z][a-z0-9+.-]*:/i;

/** Returns the faults in how the URIs of List-Unsubscribe are written. */
const formFaults = (field: HeaderField, brackets: Brackets): readonly (string | false)[] => {
  if (ENCODED_WORD.test(field.value)) return ['encoded'];
  const hasSpace = brackets.uris.some((uri) => /\s/.test(uri.trim()));
  const folded = hasSpace && isFoldedInside(field);
  return [
    isMissingBrackets(brackets) && 'no_brackets',
    hasWrongSeparator(brackets) && 'separator',
    folded && 'folded',
    hasSpace && !folded && 'space',
    brackets.uris.some((uri) => !SCHEME.test(uri) && !hasPlaceholder(uri)) && 'no_scheme',
  ];
};

const ABSENT = {
  present: false,
  faults: [],
  https: false,
  reachable: true,
  mailto: false,
  host: null,
};

/** Reads List-Unsubscribe and List-Unsubscribe-Post (RFC 2369, RFC 8058). No URI is ever requested. */
export const readListUnsubscribe = (
  block: HeaderBlock,
  fromDomain: string | null,
): UnsubscribeFacts['listUnsubscribe'] => {
  const fields = fieldsNamed(block, 'list-unsubscribe');
  const post = readPost(fieldsNamed(block, 'list-unsubscribe-post'));
  const [field] = fields;
  if (field === undefined) return { ...ABSENT, ...post };

  const { value } = field;
  const brackets = bracketed(value);
  const kinds = brackets.uris.map(schemeOf);
  const count = (kind: string) => kinds.filter((one) => one === kind).length;
  const https = brackets.uris.filter((_, i) => kinds[i] === 'https');
  const mailto = brackets.uris.filter((_, i) => kinds[i] === 'mailto');
  const httpsHosts = https.map(httpsHost).filter((host) => host !== null);
  const hosts = [...httpsHosts, ...mailto.map(mailtoDomain)];
  const faults = [
    ...formFaults(field, brackets),
    count('http') > 0 && https.length === 0 && 'http',
    (fields.length > 1 || https.length > 1 || mailto.length > 1 || count('http') > 1) && 'several',
    hasPlaceholder(value) && 'placeholder',
  ].filter((fault) => fault !== false);
  return {
    present: true,
    faults,
    // A URI with an unreplaced template field leads nowhere.
    https: https.some((uri) => httpsHost(uri) !== null && !hasPlaceholder(uri)),
    reachable: httpsHosts.length === 0 || httpsHosts.some((host) => isReachable(host, fromDomain)),
    mailto: mailto.some((uri) => mailtoDomain(uri) !== null),
    ...post,
    host: hosts.find((host) => host !== null) ?? null,
  };
};
