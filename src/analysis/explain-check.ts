/** Explains a check without an email, for `/findings`. */

import type { Check } from './check.ts';
import type { Case } from './definition.ts';

/** Placeholders for values that only an email has. */
const STANDS_FOR: Readonly<Record<string, string>> = {
  domain: 'your domain',
  from_domain: 'your domain',
  from_org_domain: 'your domain',
  org_domain: 'your domain',
  envelope_domain: 'the envelope domain',
  helo: 'your server',
  ip: 'your address',
};

const withoutBraces = (text: string): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => STANDS_FOR[name] ?? '…');

/** Returns why, and what to do. */
const sentencesOf = ({ why, do: what }: Case): string =>
  withoutBraces([why, what].filter((one) => one !== undefined).join(' '));

/** Explains a check without an email: what it judges, what each of its states costs, and what to do. */
export function explainCheck(check: Check) {
  const { id, area, family, gate, title, source, states, about } = check;
  const { fix, ...cases } = check.fixes;
  const fixes = Object.entries(cases).map(([name, one]) => [name, sentencesOf(one)] as const);
  return {
    id,
    area,
    family,
    ...(gate !== undefined && { only_after: gate }),
    title,
    fix: sentencesOf(fix),
    ...(fixes.length > 0 && { fixes: Object.fromEntries(fixes) }),
    reference: source,
    states: states.map(({ name, severity, points, cap, when }) => ({
      name,
      severity,
      points,
      ...(cap !== null && { score_cap: cap }),
      when,
    })),
    about: { what: about.what, why: about.why, how: about.how, bad: about.bad, good: about.good },
  };
}
