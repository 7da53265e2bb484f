/** The check for hidden text in the HTML of an email. */

import { check } from '../check.ts';
import type { ContentFacts } from '../facts.ts';
import { formatCount } from '../format.ts';
import { withHtml } from './document-checks.ts';

/** Hidden text with more letters and digits than this is too long for a preview text. */
const MAX_HIDDEN = 200;

/** Limit on hidden characters as a share of the visible ones, not counting the preview text. */
const MAX_HIDDEN_SHARE = 0.2;

/** Up to this number, hidden characters count as a label or a hint, whatever their share. */
const MIN_HIDDEN = 40;

/** An email with more hidden words than this is written for filters, not for readers. */
const MAX_HIDDEN_WORDS = 1000;

/**
 * Returns whether there is more hidden text than a preview text needs, either in total or compared with the
 * visible text.
 */
const isMuch = ({
  hiddenText: { characters, previewCharacters, visibleCharacters },
}: ContentFacts) => {
  const besides = characters - previewCharacters;
  const isLargeShare = besides > visibleCharacters * MAX_HIDDEN_SHARE;
  return characters > MAX_HIDDEN || (besides > MIN_HIDDEN && isLargeShare);
};

/** Returns whether the HTML contains hidden text, but shows neither text nor an image. */
const isAllHidden = ({ hiddenText, contentImages }: ContentFacts) =>
  hiddenText.characters > 0 && hiddenText.visibleCharacters === 0 && contentImages === 0;

export const hiddenText = check({
  id: 'hidden_text',
  family: 'body',
  title: 'Hidden text',
  source:
    'Gmail: do not use HTML and CSS to hide content; rspamd ZERO_FONT, R_WHITE_ON_WHITE, MANY_INVISIBLE_PARTS',
  about: {
    what: 'Hidden text is text that readers do not see: white text on white, a font size of 0, or text moved off the page.',
    why: 'Spam hides words this way, so filters count it against you. One preview text at the top is normal, and so is a second layout for phones.',
    how: ['Remove the hidden text. If it is preview text, keep one short block.'],
    bad: '<span style="color:#fff;font-size:0">cheap watches …</span>   (a whole paragraph)',
    good: '<div style="display:none">Your order is on its way</div>   (one preview text)',
  },
  subject: withHtml,
  states: ({ fail, warn, info, pass }) => ({
    mostly_hidden: fail(14).when(
      `more than ${MAX_HIDDEN_WORDS} hidden words, or an HTML part that shows nothing and contains hidden text`,
      (value) => value.hiddenText.words > MAX_HIDDEN_WORDS || isAllHidden(value),
    ),
    hidden: warn(6).when(
      `more than ${MAX_HIDDEN} hidden letters and digits, or, not counting the preview text, more than ${MIN_HIDDEN} and more than ${100 * MAX_HIDDEN_SHARE}% of the number of visible ones: zero font size, display:none, text in the background colour, off-screen; filler behind a preview text and a second layout for other screens are not counted`,
      isMuch,
    ),
    preheader_only: info.when(
      'less, such as a preview text',
      ({ content, hiddenPreheader }) => content.hidden_runs > 0 || hiddenPreheader,
    ),
    none: pass('none'),
  }),
  detail: ({ hiddenText: { characters, words, visibleCharacters } }) =>
    `Hidden: ${formatCount(characters, 'letter or digit', 'letters and digits')} in ${formatCount(words, 'word')}; visible: ${visibleCharacters}. Up to ${MAX_HIDDEN} are treated as preview text.`,
  evidence: ({
    content,
    hiddenPreheader,
    hiddenText: { characters, words, visibleCharacters },
  }) => ({
    hidden_runs: content.hidden_runs,
    hidden_preheader: hiddenPreheader,
    hidden_characters: characters,
    hidden_words: words,
    visible_characters: visibleCharacters,
    limit: MAX_HIDDEN,
    limit_words: MAX_HIDDEN_WORDS,
  }),
  fix: {
    why: 'Filters treat text that readers cannot see as an attempt to mislead.',
    do: 'Remove the hidden text, or show it. A short preview text at the top may stay hidden.',
  },
});
