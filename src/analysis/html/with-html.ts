import { type Facts, known, type LookupResult } from '../facts.ts';
import { thenLookup } from '../lookup-result.ts';
import type { ContentFacts } from '../mail-facts.ts';

/** The content of a mail that has HTML; the checks of HTML do not apply to others. */
export const withHtml = ({ content }: Facts): LookupResult<ContentFacts> | undefined =>
  thenLookup<ContentFacts, ContentFacts>(content, (value) =>
    value.content.has_html ? known(value) : undefined,
  );
