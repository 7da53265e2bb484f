/** Counts the template fields that an email shows unfilled, in its subject, text, HTML and links. */

import type { HtmlDocument } from '../html/document.ts';
import type { BodyLinks } from '../links/href.ts';
import { findFieldsInText, findPlaceholders, quotedParts } from '../text/template-fields.ts';

const ENCODED_MARKS = /%(?:7b|7d|7c|5b|5d|24|2a)/gi;

/**
 * Decodes the marks of template fields in a link, so that the fields can be found. Template builders
 * percent-encode these marks.
 */
const readableHref = (href: string) =>
  href.replace(ENCODED_MARKS, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));

/**
 * Counts distinct template fields, because text and HTML repeat the same ones. Those that the email quotes,
 * for example in a patch, are the subject of the email and were not left unfilled. The names of the fields
 * are not passed on.
 */
export const placeholdersIn = (
  {
    subject,
    text,
    html,
  }: Readonly<Record<'subject' | 'text', string>> & {
    readonly html: HtmlDocument | null;
  },
  { links }: BodyLinks,
) => {
  const hrefs = links.map(({ href }) => readableHref(href));
  const texts = [text, html?.text ?? ''];
  const found = [
    ...texts.flatMap(findFieldsInText),
    ...[subject, ...hrefs].flatMap(findPlaceholders),
  ];
  const idOf = ({ syntax, name }: (typeof found)[number]) => `${syntax} ${name}`;
  const quoted =
    found.length > 0
      ? texts
          .map(quotedParts)
          .concat(html?.preformatted ?? '')
          .flatMap(findPlaceholders)
      : [];
  const quotedIds = new Set(quoted.map(idOf));
  const unfilled = found.filter((one) => !quotedIds.has(idOf(one)));
  return {
    placeholders: new Set(unfilled.map(idOf)).size,
    placeholder_syntaxes: [...new Set(unfilled.map(({ syntax }) => syntax))],
  };
};
