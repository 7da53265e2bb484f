/** Suggests the word that was probably meant when a command, option or finding is unknown. */

import { nearest } from '../domain/nearest.ts';
import { GATES } from './findings.ts';

/**
 * Returns a sentence that suggests the word that was probably meant. Empty if no known word is near enough.
 */
export const meant = (word: string, known: Iterable<string>): string => {
  const near = nearest(word, known);
  return near === undefined ? '' : ` Did you mean ${near}?`;
};

/** Maximum number of finding ids that a sentence lists. */
const MAX_NAMED = 8;

/**
 * Returns sentences that suggest the id of the finding that was probably meant, and say where all ids are
 * listed.
 */
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
