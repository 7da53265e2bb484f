import { defineCheck } from '../define-check.ts';
import { formatCount, formatCountUpTo, formatFound, formatId } from '../format.ts';
import { keepIf } from '../lookup-result.ts';
import type { ContentFacts } from '../mail-facts.ts';
import { readsLike, wordingValues } from './fraud-rules.ts';
import { MIN_SHARED } from './text-state.ts';

export const textAlternative = defineCheck({
  id: 'text_alternative',
  subject: ({ content }) => keepIf(content, (value) => value.textAlternative !== 'none'),
  ladder: [['warn', ({ textAlternative }) => textAlternative === 'html_only']],
  detail: ({ textAlternative }) =>
    ({
      both: 'Text and HTML.',
      text_only: 'Text only.',
      html_only: 'HTML without text.',
      none: 'Neither.',
    })[textAlternative],
});

const TEXT_STATES = {
  empty: 'the text is empty',
  boilerplate: 'the text only says to look elsewhere',
  too_short: `less than ${100 * MIN_SHARED} % of its words are in the text`,
} as const;

/** More words are there than were counted, in the text or in the HTML. */
const isWordCut = ({ defects }: ContentFacts['mime']): boolean =>
  ['words_truncated', 'text_truncated', 'html_truncated'].some((id) => defects.includes(id));

export const textHtmlMismatch = defineCheck({
  id: 'text_html_mismatch',
  subject: ({ content }) => keepIf(content, (value) => value.textAlternative === 'both'),
  ladder: [['warn', ({ textState }) => textState !== 'ok']],
  detail: ({ textState, mime, content: { text_words, html_words } }) =>
    `The text has ${formatCountUpTo(text_words, 'word', isWordCut(mime))}, the HTML ${html_words}${isWordCut(mime) ? ' or more' : ''}${textState === 'ok' ? '' : `: ${TEXT_STATES[textState]}`}.`,
});

/** Phrases that together are a sign; fewer are an accident. */
const MANY_PHRASES = 3;

const phrases = ({ content, phrasePatterns }: ContentFacts): readonly string[] => [
  ...new Set([...phrasePatterns, ...content.phrase_ids]),
];

export const spamPhrases = defineCheck({
  id: 'spam_phrases',
  subject: ({ content }) => content,
  ladder: [
    ['warn', ({ phrasePatterns }) => phrasePatterns.length > 0],
    ['warn', ({ content }) => content.phrase_ids.length >= MANY_PHRASES],
    ['info', ({ content, wording }) => content.phrase_ids.length + wording.length > 0],
  ],
  detail: (value) => formatFound([...phrases(value), ...value.wording].map(formatId)),
  fixes: ({ phrasePatterns, wording, content }) => [
    ...(phrasePatterns.length > 0 ? ['pattern'] : []),
    ...(content.phrase_ids.length > 0 && phrasePatterns.length === 0 ? ['fix'] : []),
    ...(wording.length > 0 ? ['wording'] : []),
  ],
  values: (value) => ({
    phrase_ids: phrases(value).map(formatId).join(', '),
    patterns: readsLike(value.phrasePatterns),
    ...wordingValues(value.wording),
  }),
});

export const templatePlaceholders = defineCheck({
  id: 'template_placeholders',
  subject: ({ content }) => content,
  ladder: [['warn', ({ content }) => content.placeholders > 0]],
  detail: ({ content: { placeholders, placeholder_syntaxes } }) =>
    `${formatCount(placeholders, 'unreplaced field')}${placeholders > 0 ? ` of the form ${placeholder_syntaxes.join(' or ')}` : ''}.`,
  values: ({ content }) => ({
    fields: formatCount(content.placeholders, 'template field'),
    syntax: content.placeholder_syntaxes.join(' or '),
  }),
});
