// What generators put where the text should be, in lower case.
import boilerplate from './boilerplate.json' with { type: 'json' };
import type { TextFacts } from './facts.ts';

/** A text that says no more than to look elsewhere is short, in words. */
const MAX_BOILERPLATE_WORDS = 60;

/** Below this share of the HTML's words the text part is another mail. */
export const MIN_SHARED = 0.3;

/** Judges a text part beside the HTML it stands for. */
export const judgeText = (
  text: string,
  textWords: number,
  htmlWords: number,
  shared: number,
): TextFacts['textState'] => {
  if (textWords === 0) return htmlWords === 0 ? 'ok' : 'empty';
  const lower = text.toLowerCase();
  const short = textWords <= MAX_BOILERPLATE_WORDS && textWords < htmlWords / 2;
  if (short && boilerplate.some((phrase) => lower.includes(phrase))) return 'boilerplate';
  return shared < MIN_SHARED ? 'too_short' : 'ok';
};
