import table from '../domain/findings.json' with { type: 'json' };
import { AREAS } from '../domain/report/shapes.ts';

type Check = (typeof table.checks)[number];

/** One finding as the catalogue shows it. */
export function describeFinding(check: Check, baseUrl: string) {
  const { id, area, family, gate, title, reference, states } = check;
  const { fix, ...fixes } = sentencesOf(check);
  return {
    id,
    area,
    family,
    ...(gate !== null && { only_after: gate }),
    title,
    fix,
    ...(Object.keys(fixes).length > 0 && { fixes }),
    reference,
    states: states.map(({ severity, points, cap, when }) => ({
      severity,
      points,
      ...(cap !== null && { score_cap: cap }),
      when,
    })),
    url: `${baseUrl}/findings/${id}`,
  };
}

interface Row {
  readonly fix: string;
  readonly fixes?: Readonly<Record<string, string | undefined>>;
  readonly do?: Readonly<Record<string, string | undefined>>;
}

/** Why and what to do, by case; `fix` for the finding's own. */
function sentencesOf(check: Check): Record<'fix', string> & Record<string, string> {
  const row: Row = check;
  const why: Record<string, string | undefined> = { fix: row.fix, ...row.fixes };
  const cases = Object.entries(why).map(([name, text]) => {
    const sentences = [text, row.do?.[name]].filter((one) => one !== undefined);
    return [name, sentences.join(' ')] as const;
  });
  return { fix: row.fix, ...Object.fromEntries(cases) };
}

/** The finding of that id; `undefined` when no report has it. */
export const findCheck = (id: string) => table.checks.find((check) => check.id === id);

/** The whole catalogue. */
export const describeFindings = (baseUrl: string) => ({
  version: table.version,
  areas: AREAS,
  findings: table.checks.map((check) => describeFinding(check, baseUrl)),
});

/** How the score comes about, with the numbers that the score is computed with. */
export const describeMethod = (baseUrl: string) => ({
  version: table.version,
  steps: [
    'Every check that applies gives one finding: the worst of its states that fits.',
    'A finding costs the points of its state. The findings of one family together cost at most the cap of the family.',
    'The raw score is 100 minus what all families cost, and at least 0.',
    'Some states cap the score. With any finding of severity fail it is at most any_fail_cap.',
    'The score is the lowest of the raw score and the caps. Findings of severity info and pass cost nothing.',
    'A lookup without an answer costs nothing: the finding is info, and partial_errors names the lookup.',
  ],
  grades: table.grades,
  any_fail_cap: table.any_fail_cap,
  family_caps: table.family_caps,
  findings_url: `${baseUrl}/findings`,
});
