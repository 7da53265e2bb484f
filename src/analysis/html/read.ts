/** Reads an HTML part, up to limits. */

import { ErrorCodes, type Token } from 'parse5';
import type { Attributes } from './appearance.ts';
import type { HtmlDocument } from './document.ts';
import { RAW } from './open-elements.ts';
import { TextTokenizer } from './text-tokenizer.ts';
import { HtmlWalk } from './walk.ts';

const CUT_OFF: ReadonlySet<string> = new Set([
  ErrorCodes.eofInTag,
  ErrorCodes.eofInComment,
  ErrorCodes.eofBeforeTagName,
  ErrorCodes.eofInScriptHtmlCommentLikeText,
]);

const attributesOf = ({ attrs }: Token.TagToken): Attributes =>
  new Map(attrs.map(({ name, value }) => [name, value]));

/**
 * Reads one HTML part, up to a number of characters and of start and end tags. Never throws, whatever the
 * text.
 */
export const readHtml = (
  part: string,
  limits: { readonly chars: number; readonly tags: number },
): HtmlDocument => {
  const html = part.slice(0, limits.chars);
  const walk = new HtmlWalk(html);
  const { found } = walk;
  found.truncated = html.length < part.length;
  /** Ends the reading before a tag that exceeds the limit. Returns whether it does. */
  const isCutOff = () => {
    if (found.tags + found.endTags < limits.tags) return false;
    found.truncated = true;
    tokenizer.pause();
    return true;
  };
  const tokenizer = new TextTokenizer(
    {},
    {
      onComment: () => {},
      onDoctype: () => {},
      onEof: () => {},
      onStartTag: (token) => {
        if (isCutOff()) return;
        walk.start(token.tagName, attributesOf(token), token.selfClosing);
        const mode = token.selfClosing ? undefined : RAW.get(token.tagName);
        if (mode !== undefined) tokenizer.state = mode;
      },
      onEndTag: ({ tagName }) => {
        if (!isCutOff()) walk.end(tagName);
      },
      onCharacter: ({ chars }) => walk.characters(chars),
      onNullCharacter: () => {},
      onWhitespaceCharacter: ({ chars }) => walk.characters(chars),
      onParseError: ({ code }) => {
        if (CUT_OFF.has(code) && !found.truncated) found.unclosed = true;
      },
    },
  );
  // Line endings are converted as the tokenizer does it, so that each stays in one run with the text around
  // it.
  tokenizer.write(html.replace(/\r\n?/g, '\n'), true);
  return walk.finish();
};
