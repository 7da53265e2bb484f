/** Suggests the word that was probably intended instead of an unknown one. */

import { nearest } from '../domain/nearest.ts';
import { GATES } from './findings.ts';

/**
 * Returns sentences that follow "there is no such word" and name the word that was probably intended. Empty
 * if there is none.
 */
export const meant = (word: string, known: Iterable<string>): string => {
  const near = nearest(word, known);
  return near === undefined ? '' : ` Did you mean ${near}?`;
};

/** Number of ids that a sentence names. */
const MAX_NAMED = 8;

/** Does the same for the id of a finding, and says where all of them are listed. */
export function meantFinding(word: string): string {
  const ids = [...GATES.keys()];
  const near = meant(word, ids);
  const part = word.toLowerCase().replaceAll('-', '_');
  const some = near === '' && part.length > 1 ? ids.filter((id) => id.includes(part)) : [];
  const named = some.slice(0, MAX_NAMED).join(', ');
  const more = some.length > MAX_NAMED ? ` and ${some.length - MAX_NAMED} more` : '';
  const contain = some.length > 0 ? ` These contain the word: ${named}${more}.` : near;
  return `${contain} \`deliverability findings\` lists them all.`;
}
