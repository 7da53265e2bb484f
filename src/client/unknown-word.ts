import { nearest } from '../domain/nearest.ts';
import { GATES } from './findings.ts';

/** Sentences that follow "there is no such word": which one was probably meant. Empty: nobody can say. */
export const meant = (word: string, known: Iterable<string>): string => {
  const near = nearest(word, known);
  return near === undefined ? '' : ` Did you mean ${near}?`;
};

/** Ids that a sentence names. */
const MAX_NAMED = 8;

/** The same for the id of a finding, and where all of them are listed. */
export function meantFinding(word: string): string {
  const ids = [...GATES.keys()];
  const near = meant(word, ids);
  const part = word.toLowerCase().replaceAll('-', '_');
  const some = near === '' && part.length > 1 ? ids.filter((id) => id.includes(part)) : [];
  const named = some.slice(0, MAX_NAMED).join(', ');
  const more = some.length > MAX_NAMED ? ` and ${some.length - MAX_NAMED} more` : '';
  const contain = some.length > 0 ? ` These contain it: ${named}${more}.` : near;
  return `${contain} \`deliverability findings\` lists all.`;
}
