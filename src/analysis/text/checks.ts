import { defineCheck } from '../define-check.ts';
import { known } from '../facts.ts';
import { formatCount, formatCountUpTo, formatId, formatList } from '../format.ts';
import { withHtml } from '../html/with-html.ts';
import { mapLookup, thenLookup } from '../lookup-result.ts';
import type { ContentFacts } from '../mail-facts.ts';
import { MIN_SHARED } from './text-state.ts';

const KB = 1024;
const MB = 1024 * KB;

/** Gmail cuts the HTML part off near here, in bytes. */
const CLIPPED_BYTES = 102 * KB;
const NEARLY_CLIPPED_BYTES = 80 * KB;

/** The smallest limits of common mail servers, in bytes. */
const LARGE_BYTES = 10 * MB;
const NOTABLE_BYTES = MB;

/** Hidden runs besides a preheader from which hiding looks meant. */
const MANY_HIDDEN_RUNS = 3;

/** Phrases that together are a sign; fewer are an accident. */
const MANY_PHRASES = 3;

export const textAlternative = defineCheck({
  id: 'text_alternative',
  subject: ({ content }) =>
    thenLookup<ContentFacts, ContentFacts>(content, (value) =>
      value.textAlternative === 'none' ? undefined : known(value),
    ),
  ladder: [['warn', ({ textAlternative }) => textAlternative === 'html_only']],
  detail: ({ textAlternative }) =>
    ({
      both: 'Text and HTML.',
      text_only: 'Text only.',
      html_only: 'HTML without text.',
      none: 'Neither.',
    })[textAlternative],
});

const TEXT_IN_WORDS = {
  empty: 'the text is empty',
  boilerplate: 'the text only says to look elsewhere',
  too_short: `less than ${100 * MIN_SHARED} % of its words are in the text`,
} as const;

/** More words are there than were counted, in the text or in the HTML. */
const isWordCut = ({ defects }: ContentFacts['mime']): boolean =>
  ['words_truncated', 'text_truncated', 'html_truncated'].some((id) => defects.includes(id));

export const textHtmlMismatch = defineCheck({
  id: 'text_html_mismatch',
  subject: ({ content }) =>
    thenLookup<ContentFacts, ContentFacts>(content, (value) =>
      value.textAlternative === 'both' ? known(value) : undefined,
    ),
  ladder: [['warn', ({ textState }) => textState !== 'ok']],
  detail: ({ textState, mime, content: { text_words, html_words } }) =>
    `The text has ${formatCountUpTo(text_words, 'word', isWordCut(mime))}, the HTML ${html_words}${isWordCut(mime) ? ' or more' : ''}${textState === 'ok' ? '' : `: ${TEXT_IN_WORDS[textState]}`}.`,
});

export const htmlSize = defineCheck({
  id: 'html_size',
  subject: withHtml,
  ladder: [
    ['warn', ({ content }) => content.html_bytes > CLIPPED_BYTES],
    ['info', ({ content }) => content.html_bytes >= NEARLY_CLIPPED_BYTES],
  ],
  detail: ({ content }) => `${content.html_bytes} bytes; the limit is ${CLIPPED_BYTES}.`,
  values: ({ content }) => ({ kb: Math.ceil(content.html_bytes / KB) }),
});

export const messageSize = defineCheck({
  id: 'message_size',
  subject: ({ sizeBytes }) => known(sizeBytes),
  ladder: [
    ['warn', (bytes) => bytes > LARGE_BYTES],
    ['info', (bytes) => bytes > NOTABLE_BYTES],
  ],
  detail: (bytes) => `${bytes} bytes; many servers take ${LARGE_BYTES} at most.`,
});

export const hiddenText = defineCheck({
  id: 'hidden_text',
  subject: withHtml,
  ladder: [
    ['warn', ({ content }) => content.hidden_runs >= MANY_HIDDEN_RUNS],
    ['info', ({ content, hiddenPreheader }) => content.hidden_runs > 0 || hiddenPreheader],
  ],
  detail: ({ content, hiddenPreheader }) =>
    `${formatCount(content.hidden_runs, 'hidden run')}${hiddenPreheader ? ' besides the preview text' : ''}; ${MANY_HIDDEN_RUNS} or more look deliberate.`,
});

/** What is to be done about each fault, as a fix speaks of it. */
const REPAIRS: Readonly<Record<string, string>> = {
  unclosed: 'close the unclosed elements',
  unknown_tags: 'remove the tags that are no HTML',
  no_html: 'add <html>',
  no_body: 'add <body>',
  no_lang: 'add lang= to <html>',
  no_title: 'add a <title>',
  external_stylesheet: 'inline the external stylesheet',
  low_contrast: 'raise the contrast of pale text',
};

export const htmlQuality = defineCheck({
  id: 'html_quality',
  subject: withHtml,
  ladder: [
    ['warn', ({ htmlFaults }) => htmlFaults.fail.length > 0],
    ['info', ({ htmlFaults }) => htmlFaults.lint.length > 0],
  ],
  detail: ({ htmlFaults }) => {
    const all = [...htmlFaults.fail, ...htmlFaults.lint];
    return all.length > 0 ? `Found: ${all.map(formatId).join(', ')}.` : 'No faults.';
  },
  values: ({ htmlFaults }) => ({
    repairs: formatList(
      [...htmlFaults.fail, ...htmlFaults.lint].map((id) => REPAIRS[id] ?? `mend ${formatId(id)}`),
    ),
  }),
});

const phrases = ({ content, phrasePatterns }: ContentFacts): readonly string[] => [
  ...new Set([...phrasePatterns, ...content.phrase_ids]),
];

export const spamPhrases = defineCheck({
  id: 'spam_phrases',
  subject: ({ content }) => content,
  ladder: [
    [
      'warn',
      ({ content, phrasePatterns }) =>
        content.phrase_ids.length >= MANY_PHRASES || phrasePatterns.length > 0,
    ],
    ['info', ({ content }) => content.phrase_ids.length > 0],
  ],
  detail: (value) => {
    const found = phrases(value);
    return found.length > 0 ? `Found: ${found.map(formatId).join(', ')}.` : 'None found.';
  },
  values: (value) => ({ phrase_ids: phrases(value).map(formatId).join(', ') }),
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

/** Only for bulk mail: others have no preview to write. */
export const preheader = defineCheck({
  id: 'preheader',
  subject: (facts) =>
    thenLookup(facts.headers, ({ bulk }) => {
      const html = bulk.isBulk ? withHtml(facts) : undefined;
      return html && mapLookup(html, (value) => value.preheader);
    }),
  ladder: [['info', (present) => !present]],
  detail: (present) => (present ? 'Present.' : 'None found.'),
});
