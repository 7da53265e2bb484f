import { toDomain } from '../names/domain-names.ts';
import { withoutComments } from '../syntax/comments.ts';
import { fieldsNamed, type HeaderBlock, type HeaderField } from '../syntax/header-block.ts';
import { hasPlaceholder } from '../text/placeholders.ts';
import type { UnsubscribeFacts } from './facts.ts';

interface Brackets {
  readonly uris: readonly string[];
  /** What stands between the URIs, comments and spaces aside. */
  readonly between: readonly string[];
}

/** RFC 2369 §2: URIs in angle brackets, separated by commas. One pass. */
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

/** The text of the authority alone: nothing else can make a URL hostless, and nothing else is kept. */
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

/** RFC 8058 §3.1: exactly this pair; clients compare without case at most. */
const isOneClick = ({ value }: HeaderField) =>
  value.replace(/\s/g, '').toLowerCase() === 'list-unsubscribe=one-click';

/** One field with the one value: of two, one reader takes the first and another the last. */
const readPost = (
  fields: readonly HeaderField[],
): Pick<UnsubscribeFacts['listUnsubscribe'], 'post' | 'postFault'> => {
  if (fields.length > 1) return { post: false, postFault: 'repeated' };
  const post = fields.some(isOneClick);
  return { post, postFault: post || fields.length === 0 ? null : 'value' };
};

const ABSENT = { present: false, faults: [], https: false, mailto: false, host: null };

/** Reads List-Unsubscribe and its Post companion (RFC 2369, RFC 8058). No URI is requested, ever. */
export const readListUnsubscribe = (block: HeaderBlock): UnsubscribeFacts['listUnsubscribe'] => {
  const fields = fieldsNamed(block, 'list-unsubscribe');
  const post = readPost(fieldsNamed(block, 'list-unsubscribe-post'));
  const value = fields[0]?.value;
  if (value === undefined) return { ...ABSENT, ...post };

  const brackets = bracketed(value);
  const kinds = brackets.uris.map(schemeOf);
  const count = (kind: string) => kinds.filter((one) => one === kind).length;
  const https = brackets.uris.filter((_, i) => kinds[i] === 'https');
  const mailto = brackets.uris.filter((_, i) => kinds[i] === 'mailto');
  const hosts = [...https.map(httpsHost), ...mailto.map(mailtoDomain)];
  const faults = [
    isMissingBrackets(brackets) && 'no_brackets',
    hasWrongSeparator(brackets) && 'separator',
    brackets.uris.some((uri) => /\s/.test(uri.trim())) && 'space',
    count('http') > 0 && https.length === 0 && 'http',
    (fields.length > 1 || https.length > 1 || mailto.length > 1 || count('http') > 1) && 'several',
    hasPlaceholder(value) && 'placeholder',
  ].filter((fault) => fault !== false);
  return {
    present: true,
    faults,
    // An unreplaced template field leads nowhere.
    https: https.some((uri) => httpsHost(uri) !== null && !hasPlaceholder(uri)),
    mailto: mailto.some((uri) => mailtoDomain(uri) !== null),
    ...post,
    host: hosts.find((host) => host !== null) ?? null,
  };
};
