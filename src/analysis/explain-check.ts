/** Builds the entry of a check in the public catalogue (`/findings`), without an email. */

import type { Check } from './check.ts';
import type { Case } from './definition.ts';

/** Words that replace the placeholders in a fix, because their values come only from an email. */
const STANDS_FOR: Readonly<Record<string, string>> = {
  domain: 'your domain',
  from_domain: 'your domain',
  from_org_domain: 'your domain',
  org_domain: 'your domain',
  envelope_domain: 'the envelope domain',
  helo: 'your server',
  ip: 'your address',
};

/** Matches a domain placeholder that follows a label, as in `_dmarc.{org_domain}`. */
const NAME_UNDER = /([\w-]\.)\{(?:\w+_)?domain\}/g;

const withoutBraces = (text: string): string =>
  text
    .replace(NAME_UNDER, (_, before: string) => `${before}example.com`)
    .replace(/\{(\w+)\}/g, (_, name: string) => STANDS_FOR[name] ?? '…');

/** Capitalizes the first letter, because a sentence may begin with a replaced placeholder. */
const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns the reason and the instruction of a case as plain sentences. */
const sentencesOf = ({ why, do: what }: Case): string =>
  capitalized(withoutBraces([why, what].filter((one) => one !== undefined).join(' ')));

/**
 * Builds the catalogue entry of a check: what it judges, what each of its states costs, and how to fix it.
 */
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
