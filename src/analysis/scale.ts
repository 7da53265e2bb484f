import type { Grade } from '../domain/report/report.ts';

/** Version of the catalogue of findings: raised when an id, a state or its points change. */
export const CATALOGUE_VERSION = '1';

/** Version of how findings become a score and a grade. */
export const METHOD_VERSION = '1';

/** Most points that the findings of one family cost together. */
export const FAMILY_CAPS = {
  spf: 12,
  dkim: 22,
  alignment: 45,
  dmarc: 14,
  arc: 0,
  bimi: 0,
  rdns: 12,
  helo: 5,
  tls: 4,
  reputation: 45,
  transport: 0,
  structure: 30,
  headers: 14,
  identity: 8,
  impersonation: 45,
  unsubscribe: 12,
  way_out: 6,
  textalt: 5,
  body: 14,
  images: 6,
  active: 15,
  attach: 40,
  links: 16,
  linkrep: 60,
  inbound: 6,
} as const;

export type Family = keyof typeof FAMILY_CAPS;

/** The highest score of a report with a finding of severity fail. */
export const ANY_FAIL_CAP = 89;

/** Lowest score of each grade, best first. */
export const GRADES: Readonly<Record<Grade, number>> = { A: 90, B: 75, C: 60, D: 40, F: 0 };

const grades = Object.entries(GRADES) as [Grade, number][];

/** The grade of a score. */
export const gradeOf = (score: number): Grade =>
  grades.find(([, lowest]) => score >= lowest)?.[0] ?? 'F';
