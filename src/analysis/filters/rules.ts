/**
 * Selects the rules of a spam filter that a report shows, adds what we know about them, and counts the
 * others.
 */

import { type FilterName, RULE_NAME } from '../../domain/report/filters.ts';
import type { FilterRuleFact } from './facts.ts';
import table from './rules.json' with { type: 'json' };

type Known = NonNullable<FilterRuleFact['known']>;
type Row = readonly [name: string, says: Known['says'], finding: string, about: string];

const IS_NAME = new RegExp(RULE_NAME);

const rowsOf = (name: FilterName) =>
  new Map(
    (table[name].rules as unknown as readonly Row[]).map(([rule, says, finding, about]) => [
      rule,
      { says, about, finding: finding === '' ? null : finding },
    ]),
  );

const KNOWN: Readonly<Record<FilterName, ReadonlyMap<string, Known>>> = {
  spamassassin: rowsOf('spamassassin'),
  rspamd: rowsOf('rspamd'),
};

const RECIPIENT: Readonly<Record<FilterName, RegExp>> = {
  spamassassin: new RegExp(`^(?:${table.spamassassin.recipient.join('|')})$`),
  rspamd: new RegExp(`^(?:${table.rspamd.recipient.join('|')})$`),
};

/** Maximum number of rules that a report shows, so that they do not crowd out its own findings. */
const MAX_RULES = 60;

/** Limit on the points of one rule. No filter has a rule worth that much. */
const MAX_POINTS = 10_000;

/**
 * Returns the rules that a report shows, those with the most points first. Also returns the number and the
 * points of all others.
 */
export function sortRules(
  filter: FilterName,
  rules: readonly { readonly name: string; readonly points: number }[],
) {
  const shown: FilterRuleFact[] = [];
  const leftOut = { rules: 0, points: 0 };
  const heaviest = [...rules].sort((a, b) => Math.abs(b.points) - Math.abs(a.points));
  for (const { name, points: exact } of heaviest) {
    const points = Math.max(-MAX_POINTS, Math.min(MAX_POINTS, exact));
    const known = KNOWN[filter].get(name);
    if (IS_NAME.test(name) && !RECIPIENT[filter].test(name) && shown.length < MAX_RULES)
      shown.push({ name, points, ...(known && { known }) });
    else {
      leftOut.rules += 1;
      leftOut.points += points;
    }
  }
  return { rules: shown, leftOut };
}
