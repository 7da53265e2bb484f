import { type Facts, known, type Looked } from '../facts.ts';
import { thenLooked } from '../lookup-result.ts';
import type { ContentFacts } from '../mail-facts.ts';

/** The content of a mail that has HTML; the checks of HTML do not apply to others. */
export const withHtml = ({ content }: Facts): Looked<ContentFacts> | undefined =>
  thenLooked<ContentFacts, ContentFacts>(content, (value) =>
    value.content.has_html ? known(value) : undefined,
  );
