import { defineCheck } from '../define-check.ts';
import { type Facts, known } from '../facts.ts';
import { mapLooked, thenLooked } from '../looked.ts';
import type { ContentFacts } from '../mail-facts.ts';

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

const words = (ids: readonly string[]) => ids.map((id) => id.replaceAll('_', ' ')).join(', ');

/** The content of a mail that has HTML; the checks of HTML do not apply to others. */
const withHtml = ({ content }: Facts) =>
  thenLooked<ContentFacts, ContentFacts>(content, (value) =>
    value.content.has_html ? known(value) : undefined,
  );

export const textAlternative = defineCheck({
  id: 'text_alternative',
  subject: ({ content }) =>
    thenLooked<ContentFacts, ContentFacts>(content, (value) =>
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

export const textHtmlMismatch = defineCheck({
  id: 'text_html_mismatch',
  subject: ({ content }) =>
    thenLooked<ContentFacts, ContentFacts>(content, (value) =>
      value.textAlternative === 'both' ? known(value) : undefined,
    ),
  ladder: [['warn', ({ textState }) => textState !== 'ok']],
  detail: ({ textState, content: { text_words, html_words } }) =>
    `The text has ${text_words} words, the HTML ${html_words}${textState === 'ok' ? '' : `: ${words([textState])}`}.`,
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
    `${content.hidden_runs} hidden runs${hiddenPreheader ? ' besides the preview text' : ''}.`,
});

/** What is to be repaired, as a fix speaks of it. */
const REPAIRS: Readonly<Record<string, string>> = {
  unclosed: 'the unclosed elements',
  unknown_tags: 'the unknown tags',
  no_html: 'the missing <html>',
  no_body: 'the missing <body>',
  no_lang: 'the missing lang=',
  no_title: 'the missing <title>',
  external_stylesheet: 'the external stylesheet',
  low_contrast: 'the low contrast',
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
    return all.length > 0 ? `Found: ${words(all)}.` : 'No faults.';
  },
  values: ({ htmlFaults }) => ({
    problem_ids: [...htmlFaults.fail, ...htmlFaults.lint]
      .map((id) => REPAIRS[id] ?? words([id]))
      .join(', '),
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
    return found.length > 0 ? `Found: ${found.join(', ')}.` : 'None found.';
  },
  values: (value) => ({ phrase_ids: phrases(value).join(', ') }),
});

export const templatePlaceholders = defineCheck({
  id: 'template_placeholders',
  subject: ({ content }) => content,
  ladder: [['warn', ({ content }) => content.placeholders > 0]],
  detail: ({ content }) => `${content.placeholders} unreplaced fields.`,
  values: ({ content }) => ({
    n: content.placeholders,
    syntax: content.placeholder_syntaxes.join(' or '),
  }),
});

/** Only for bulk mail: others have no preview to write. */
export const preheader = defineCheck({
  id: 'preheader',
  subject: (facts) =>
    thenLooked(facts.headers, ({ bulk }) => {
      const html = bulk.isBulk ? withHtml(facts) : undefined;
      return html && mapLooked(html, (value) => value.preheader);
    }),
  ladder: [['info', (present) => !present]],
  detail: (present) => (present ? 'Present.' : 'None found.'),
});
