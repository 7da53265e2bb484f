import type { Action } from '../../../src/domain/report/action.ts';
import type { Finding } from '../../../src/domain/report/report.ts';

/** TXT records by name. */
export type Texts = ReadonlyMap<string, readonly string[]>;

/** What can be done today: what follows a question has to wait for its answer. */
export function today(actions: readonly Action[]): readonly Action[] {
  const asked = actions.findIndex(({ kind }) => kind === 'ask');
  return asked < 0 ? actions : actions.slice(0, asked);
}

/** Does what the steps say to TXT records, by their data alone. */
export function applyTexts(texts: Texts, actions: readonly Action[]): Texts {
  const now = new Map(texts);
  for (const { kind, operation, type, name, value, replaces } of today(actions)) {
    if (kind !== 'dns' || type !== 'TXT' || name === null || operation === 'do') continue;
    const kept = (now.get(name) ?? []).filter((text) => !replaces.includes(text) && text !== value);
    now.set(name, value === null ? kept : [...kept, value]);
  }
  return now;
}

export const actionsOf = (findings: readonly Finding[], cause: string): readonly Action[] =>
  findings.flatMap((one) => (one.cause === cause ? (one.actions ?? []) : []));

export const wordsOf = (findings: readonly Finding[], cause: string): string =>
  findings.flatMap((one) => (one.cause === cause ? (one.fix ?? []) : [])).join('\n');
