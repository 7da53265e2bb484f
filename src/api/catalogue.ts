import type { Check } from '../analysis/check.ts';
import { checks, findCheck } from '../analysis/checks.ts';
import type { Case } from '../analysis/definition.ts';
import { ANY_FAIL_CAP, CATALOGUE_VERSION, FAMILY_CAPS } from '../analysis/scale.ts';
import { GRADES } from '../domain/report/score-text.mjs';
import { AREAS } from '../domain/report/shapes.ts';

export { findCheck };

/** What stands for a value of a mail where there is no mail. */
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

/** Why, and what to do. */
const sentencesOf = ({ why, do: what }: Case): string =>
  withoutBraces([why, what].filter((one) => one !== undefined).join(' '));

/** One finding as the catalogue shows it. */
export function describeFinding(check: Check, baseUrl: string) {
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
    url: `${baseUrl}/findings/${id}`,
  };
}

/** The whole catalogue. */
export const describeFindings = (baseUrl: string) => ({
  version: CATALOGUE_VERSION,
  areas: AREAS,
  findings: checks.map((check) => describeFinding(check, baseUrl)),
});

/** How the score comes about, with the numbers that the score is computed with. */
export const describeMethod = (baseUrl: string) => ({
  version: CATALOGUE_VERSION,
  steps: [
    'Every check that applies gives one finding: the worst of its states that fits.',
    'A finding costs the points of its state. The findings of one family together cost at most the cap of the family.',
    'The raw score is 100 minus what all families cost, and at least 0.',
    'Some states cap the score. With any finding of severity fail it is at most any_fail_cap.',
    'The score is the lowest of the raw score and the caps. Findings of severity info and pass cost nothing.',
    'A lookup without an answer costs nothing: the finding is info, and partial_errors names the lookup.',
  ],
  grades: GRADES,
  any_fail_cap: ANY_FAIL_CAP,
  family_caps: FAMILY_CAPS,
  findings_url: `${baseUrl}/findings`,
});
