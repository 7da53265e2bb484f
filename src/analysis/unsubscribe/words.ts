import { toOneLine } from '../text/plain.ts';
import words from './words.json' with { type: 'json' };

/** How mails in many languages call the way out. Lower case, stems where the language bends. */
const WORDS = Object.values(words).flat().map(toOneLine);

// Mailman's pages are called by what they are: the one of the list, and the member's options.
const IN_URL =
  /unsub|opt-?out|abmeld|desabonn|desinscri|afmeld|uitschrijv|wypisz|preferences|email-settings|\/listinfo\/|\/mailman\/options\//i;

// Asked of every link: one pass over a text for all words, where each by itself took twenty times as long.
const ANY_WORD = new RegExp(WORDS.map((word) => RegExp.escape(word)).join('|'));

/** Whether some text speaks of unsubscribing. */
export const speaksOfUnsubscribing = (text: string): boolean => ANY_WORD.test(toOneLine(text));

/** Whether a link's target is named after unsubscribing. */
export const leadsToUnsubscribe = (href: string): boolean => IN_URL.test(href.slice(0, 2000));
