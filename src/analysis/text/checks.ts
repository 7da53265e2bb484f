/** The checks of the text part, spam phrases and template fields. */

import { check } from '../check.ts';
import { whichHold } from '../definition.ts';
import type { ContentFacts } from '../facts.ts';
import { formatCount, formatCountUpTo, formatFound } from '../format.ts';
import { ifKnown, keepIf } from '../lookup-result.ts';
import { phrasesNamed, readsLike } from './phrases.ts';
import { MIN_SHARED } from './words.ts';

export const textAlternative = check({
  id: 'text_alternative',
  family: 'textalt',
  title: 'Plain-text part',
  source: 'RFC 2046 §5.1.4; SpamAssassin MIME_HTML_ONLY',
  about: {
    what: 'Besides HTML, an email can contain the same message as plain text.',
    why: 'Some mail programs and older screen readers use it. Spam often has none.',
    how: [
      'Turn on “plain-text version” in your tool, or build multipart/alternative with text/plain first.',
    ],
    bad: 'Content-Type: text/html',
    good: 'Content-Type: multipart/alternative\n  text/plain\n  text/html',
  },
  subject: ({ content }) => keepIf(content, (value) => value.textAlternative !== 'none'),
  states: ({ warn, pass }) => ({
    absent: warn(5).when(
      'HTML without text/plain',
      ({ textAlternative }) => textAlternative === 'html_only',
    ),
    present: pass('both, or text only'),
  }),
  detail: ({ textAlternative }) =>
    ({
      both: 'The email has text and HTML.',
      text_only: 'The email has only text.',
      html_only: 'The email has HTML but no plain text.',
      none: 'The email has neither text nor HTML.',
    })[textAlternative],
  evidence: ({ textAlternative }) => ({ parts: textAlternative }),
  fix: {
    why: 'The email has HTML but no plain text, and filters count that against it.',
    do: 'Send multipart/alternative with text/plain first, then text/html.',
  },
});

const TEXT_STATES = {
  empty: 'the text is empty',
  boilerplate: 'the text only says to look elsewhere',
  too_short: `less than ${100 * MIN_SHARED}% of its words are in the text`,
} as const;

/** Returns whether the text or the HTML has more words than were counted. */
const isWordCut = ({ defects }: ContentFacts['mime']): boolean =>
  ['words_truncated', 'text_truncated', 'html_truncated'].some((id) => defects.includes(id));

export const textHtmlMismatch = check({
  id: 'text_html_mismatch',
  family: 'textalt',
  gate: 'text_alternative',
  title: 'Agreement of text and HTML',
  source: 'SpamAssassin MPART_ALT_DIFF; rspamd R_PARTS_DIFFER',
  about: {
    what: 'The plain text and the HTML should say the same thing.',
    why: 'Spam hides harmless text in one part and its message in the other. Filters compare the two.',
    how: ['Generate the text from the HTML, and update both together.'],
    bad: 'text: “View this email in your browser”   HTML: 400 words',
    good: 'text and HTML: the same 400 words',
  },
  subject: ({ content }) => keepIf(content, (value) => value.textAlternative === 'both'),
  states: ({ warn, pass }) => ({
    different: warn(3).when(
      `plain part empty, boilerplate, or < ${100 * MIN_SHARED}% of the HTML words`,
      ({ textState }) => textState !== 'ok',
    ),
    similar: pass('similar'),
  }),
  detail: ({ textState, mime, content: { text_words, html_words } }) =>
    `The text has ${formatCountUpTo(text_words, 'word', isWordCut(mime))}, the HTML ${html_words}${isWordCut(mime) ? ' or more' : ''}${textState === 'ok' ? '' : `: ${TEXT_STATES[textState]}`}.`,
  evidence: ({ textState, mime, content: { text_words, html_words } }) => ({
    state: textState,
    text_words,
    html_words,
    words_cut: isWordCut(mime),
  }),
  fix: {
    why: 'The plain text says less than the HTML, and filters compare the two.',
    do: 'Generate the text part from the HTML.',
  },
});

/** Number of spam phrases that together count as a sign. Fewer may be an accident. */
const MANY_PHRASES = 3;

const phrases = ({ content, phrasePatterns }: ContentFacts): readonly string[] => [
  ...new Set([...phrasePatterns, ...content.phrase_ids]),
];

export const spamPhrases = check({
  id: 'spam_phrases',
  family: 'body',
  title: 'Spam-like phrasing',
  source:
    'SpamAssassin 20_phrases, 20_advance_fee, LOTTO_*, ACCT_PHISHING (phrases are a weak signal by design); Gmail: Avoid and report phishing emails',
  about: {
    what: 'Spam uses some phrases much more often than other mail does.',
    why: 'One of them does no harm. Several together can tip the scales.',
    how: ['Use your own words, and say what the email is about.'],
    bad: 'ACT NOW! 100% FREE, NO RISK, CLICK HERE',
    good: 'The sale ends on Friday. See the offers.',
  },
  subject: ({ content }) => content,
  states: ({ warn, suggest, pass }) => ({
    scam_pattern: warn(14).when(
      'a pattern that filters have rules for: lottery, advance fee, wire transfer, extortion, loan, fee for a prize, stock tip, crypto, drugs without prescription, replica goods, requests to buy gift cards',
      ({ phrasePatterns }) => phrasePatterns.length > 0,
    ),
    many: warn(8).when(
      `${MANY_PHRASES} or more different phrases of a short public list`,
      ({ content }) => content.phrase_ids.length >= MANY_PHRASES,
    ),
    few: suggest.when(
      `1 to ${MANY_PHRASES - 1} phrases, or wording typical of fraud without a sign of imitation: a threat to an account, changed bank details, a fee for a parcel, a tax refund and the like`,
      ({ content, wording }) => content.phrase_ids.length + wording.length > 0,
    ),
    none: pass('none'),
  }),
  detail: ({ content, phrasePatterns, wording }) =>
    formatFound(
      [
        readsLike([...phrasePatterns, ...wording]),
        content.phrase_ids.length > 0 ? `phrases such as ${phrasesNamed(content.phrase_ids)}` : '',
      ].filter(Boolean),
    ),
  evidence: (value) => ({ phrases: phrases(value) }),
  fix: {
    why: 'Filters count phrases that spam often uses, such as {phrases}.',
    do: 'Keep only the phrases that tell your readers something they need.',
  },
  fixes: {
    pattern: {
      why: 'Filters have rules for email that reads like this: {patterns}. Many refuse it, whoever the sender is.',
      do: 'If that is not what you offer, describe your offer on your website and link to it from the email.',
    },
    wording: {
      why: 'The text contains wording that filters look for in fraud: {wording}. Such wording costs nothing on its own, because honest senders write it too; filters decide by who sends it and where its links lead.',
      do: 'Send it from the domain that your readers know, have every link lead there, and do not ask in the email for a password, a card number or anything else that readers should enter only on your website.',
    },
  },
  cases: ({ phrasePatterns, wording, content }) =>
    whichHold({
      pattern: phrasePatterns.length > 0,
      fix: content.phrase_ids.length > 0 && phrasePatterns.length === 0,
      wording: wording.length > 0,
    }),
  values: (value) => ({
    phrases: phrasesNamed(value.content.phrase_ids),
    patterns: readsLike(value.phrasePatterns),
    wording: readsLike(value.wording),
  }),
});

export const templatePlaceholders = check({
  id: 'template_placeholders',
  family: 'body',
  title: 'Template fields',
  source: 'practice',
  about: {
    what: 'Templates contain fields that your system fills in before it sends the email.',
    why: 'If a field is left unfilled, readers see immediately that nobody checked the email, and filters treat it as a mass mailing.',
    how: [
      'Send a test to yourself with real data before each campaign.',
      'Set a default for every field.',
    ],
    bad: 'Hello {{first_name}},',
    good: 'Hello Ada,',
  },
  // A mailing list or a tracker passes on the words of others, in which it fills in nothing.
  subject: ({ content, headers }) => (ifKnown(headers)?.passesOn ? undefined : content),
  states: ({ warn, pass }) => ({
    unfilled: warn(5).when(
      'unreplaced template syntax in text, subject or URLs: {{ }}, %% %%, *| |*, [[ ]], $' +
        '{ }, {% %}, <% %>, %NAME%, %name.part%; in a greeting, also a word in brackets or marks ({ }, [ ], « », < >, # #, @ @) or a null value of a programming language instead of the name',
      ({ content }) => content.placeholders > 0,
    ),
    filled: pass('none'),
  }),
  detail: ({ content: { placeholders, placeholder_syntaxes } }) =>
    `${formatCount(placeholders, 'unreplaced field')}${placeholders > 0 ? ` of the form ${placeholder_syntaxes.join(' or ')}` : ''}.`,
  evidence: ({ content: { placeholders, placeholder_syntaxes } }) => ({
    fields: placeholders,
    syntaxes: placeholder_syntaxes,
  }),
  fix: {
    why: 'Readers will see template code that was not filled in.',
    do: 'Fill in the {fields} before sending.',
  },
  values: ({ content }) => ({
    fields: formatCount(content.placeholders, 'template field'),
  }),
});
