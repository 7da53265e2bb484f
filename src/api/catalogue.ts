/**
 * Builds the catalogue of findings and the description of the scoring method, which routes and pages show.
 */

import type { Check } from '../analysis/check.ts';
import { checks, findCheck } from '../analysis/checks.ts';
import { explainCheck } from '../analysis/explain-check.ts';
import { ANY_FAIL_CAP, CATALOGUE_VERSION, FAMILY_CAPS } from '../analysis/scale.ts';
import { GRADES } from '../domain/report/score-text.mjs';
import { AREAS } from '../domain/report/shapes.ts';

export { findCheck };

/** Returns one finding in the form in which the catalogue shows it. */
export const describeFinding = (check: Check, baseUrl: string) => ({
  ...explainCheck(check),
  url: `${baseUrl}/findings/${check.id}`,
});

/** Returns the whole catalogue of findings. */
export const describeFindings = (baseUrl: string) => ({
  version: CATALOGUE_VERSION,
  areas: AREAS,
  findings: checks.map((check) => describeFinding(check, baseUrl)),
});

/** Explains how the score is computed, with the numbers that the calculation uses. */
export const describeMethod = (baseUrl: string) => ({
  version: CATALOGUE_VERSION,
  steps: [
    'Every check that applies gives one finding: the worst of the states that match.',
    'A finding costs the points of its state. The findings of one family together cost at most the cap of the family.',
    'The raw score is 100 minus what all families cost, and at least 0.',
    'Some states cap the score. With any finding of severity fail it is at most any_fail_cap.',
    'The score is the lowest of the raw score and the caps. Findings of severity info and pass cost no points.',
    'A lookup without an answer costs nothing: the finding is info, and partial_errors names the lookup.',
  ],
  grades: GRADES,
  any_fail_cap: ANY_FAIL_CAP,
  family_caps: FAMILY_CAPS,
  findings_url: `${baseUrl}/findings`,
});
