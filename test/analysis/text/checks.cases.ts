/** Cases for each state of the checks on the words of an email. */

import type { ContentFacts, Facts } from '../../../src/analysis/facts.ts';
import { unknown } from '../../../src/analysis/lookup-result.ts';
import type { Part } from '../../support/mail/facts.ts';
import type { Case } from '../case.ts';

const facts = (value: Part<ContentFacts>): Part<Facts> => ({ content: { value } });
const content = (part: Part<ContentFacts['content']>) => facts({ content: part });
const lost = { content: unknown('worker: no content part') };
const textOnly = facts({ textAlternative: 'text_only', content: { has_html: false } });

export const textCases: readonly Case[] = [
  ['text_alternative', 'pass 0'],
  ['text_alternative', 'pass 0', textOnly],
  ['text_alternative', 'warn 5', facts({ textAlternative: 'html_only' })],
  ['text_alternative', 'left out', facts({ textAlternative: 'none' })],
  ['text_alternative', 'unknown', lost],

  ['text_html_mismatch', 'pass 0'],
  ['text_html_mismatch', 'warn 3', facts({ textState: 'empty' })],
  ['text_html_mismatch', 'warn 3', facts({ textState: 'boilerplate' })],
  ['text_html_mismatch', 'warn 3', facts({ textState: 'too_short' })],
  ['text_html_mismatch', 'left out', textOnly],

  ['spam_phrases', 'pass 0'],
  ['spam_phrases', 'info 0 suggest', content({ phrase_ids: ['act_now'] })],
  ['spam_phrases', 'info 0 suggest', content({ phrase_ids: ['a', 'b'] })],
  ['spam_phrases', 'warn 8', content({ phrase_ids: ['a', 'b', 'c'] })],
  ['spam_phrases', 'info 0 suggest', facts({ wording: ['bank_change'] })],
  ['spam_phrases', 'warn 14', facts({ phrasePatterns: ['lottery'] })],

  ['template_placeholders', 'pass 0'],
  [
    'template_placeholders',
    'warn 5',
    content({ placeholders: 1, placeholder_syntaxes: ['{{ }}'] }),
  ],
  [
    'template_placeholders',
    'left out',
    {
      ...content({ placeholders: 1, placeholder_syntaxes: ['{{ }}'] }),
      headers: { value: { passesOn: true } },
    },
  ],
];
