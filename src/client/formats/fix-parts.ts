/** Splits the text of a fix into words to read and records to copy. */

import type { Action } from '../../domain/report/action.ts';
import type { Finding, Fix } from '../../domain/report/report.ts';

/** A part of a fix: either words, or something to copy unchanged. */
interface FixPart {
  readonly kind: 'words' | 'copy';
  readonly text: string;
}

/**
 * Returns an action's value in two forms: as the text of the fix contains it, and as the reader copies it.
 */
function copyOf({ operation, kind, name, value }: Action) {
  if (operation === 'do' || value === null || value.trim() === '') return undefined;
  const copy = value.trim();
  if (kind === 'header' && operation !== 'remove') {
    const header = `${name}: ${copy}`;
    return { needle: header, copy: header };
  }
  return { needle: copy, copy };
}

/**
 * Returns the position of a record that follows a colon, or of a file that follows a line break; -1 if there
 * is none.
 */
const indexAfterColon = (text: string, needle: string): number =>
  [`: ${needle}`, `:\n${needle}`].map((one) => text.indexOf(one)).find((at) => at >= 0) ?? -1;

/** Splits a fix into words and records, in the order of the text. */
export function fixParts({ fix }: Pick<Fix, 'fix'>, actions: Finding['actions'] = []): FixPart[] {
  const parts: FixPart[] = [];
  let rest = fix;
  for (const action of actions) {
    const found = copyOf(action);
    const at = found ? indexAfterColon(rest, found.needle) : -1;
    if (!found || at < 0) continue;
    parts.push({ kind: 'words', text: rest.slice(0, at + 1).trim() });
    parts.push({ kind: 'copy', text: found.copy });
    rest = rest.slice(at + 2 + found.needle.length);
  }
  if (rest.trim() !== '') parts.push({ kind: 'words', text: rest.trim() });
  return parts;
}
