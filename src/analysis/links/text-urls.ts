import { isPublicName, toDomain } from '../names/domain-names.ts';

// One class after a fixed beginning: linear. Quotation marks and brackets of any script end a URL.
const URL_IN_TEXT =
  /(?:https?:\/\/|mailto:|(?<![\w./@-])www\.(?=\w))[^\s<>"'()|`\u00ab\u00bb\u2018-\u201f\u2026\u2039\u203a\u3000-\u303f\uff00-\uff0f\uff1a-\uff20]{1,2000}/gi;

/** What ends the sentence or the emphasis around a URL. */
const TRAILING = '.,;:!?*_~]}';

const withoutTrailing = (url: string): string => {
  let end = url.length;
  while (end > 0 && TRAILING.includes(url[end - 1] as string)) end--;
  return url.slice(0, end);
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII is intended
const AUTHORITY = /^https?:\/\/([\x00-\x7f]*?)(?=[/?#]|[^\x00-\x7f]|$)/i;

/** Scripts without spaces go on where the URL ends: `https://www.example.comです`. */
const withoutText = (url: string): string => {
  const [whole = '', authority = ''] = AUTHORITY.exec(url) ?? [];
  const next = url[whole.length];
  if (next === undefined || /[/?#]/.test(next)) return url;
  const host = toDomain(authority);
  return host?.includes('.') && isPublicName(host) ? whole : url;
};

/** The URLs that a mail client makes links of in plain text, and where they stand. */
export function* urlsInText(text: string): Generator<{ href: string; index: number }> {
  for (const { 0: found, index } of text.matchAll(URL_IN_TEXT)) {
    const url = withoutTrailing(/^www\./i.test(found) ? `https://${found}` : found);
    yield { href: withoutText(url), index };
  }
}
