/** Declares the schema of the report on one email, with its findings, fixes and score. */

import { type Static, Type } from '@sinclair/typebox';
import { guard } from '../guard.ts';
import { TestId } from '../ids.ts';
import { Action } from './action.ts';
import { Authentication } from './authentication.ts';
import { Connection, Provider, TransportPolicy } from './connection.ts';
import { Filters } from './filters.ts';
import { Links } from './links.ts';
import { Classification, Message } from './message.ts';
import {
  AREAS,
  count,
  flag,
  instant,
  list,
  nullable,
  object,
  openWords,
  optional,
  record,
  text,
  texts,
  wholeNumber,
  words,
} from './shapes.ts';

/** Version of the report's layout. A new member does not change the version, but a changed meaning does. */
export const SCHEMA_VERSION = '2';

const GRADES = ['A', 'B', 'C', 'D', 'F'] as const;
export type Grade = (typeof GRADES)[number];
export const Grade = words(GRADES, 'A from 90, B from 75, C from 60, D from 40, F below 40.', 'B');

const SEVERITIES = ['pass', 'info', 'warn', 'fail'] as const;
export type Severity = (typeof SEVERITIES)[number];
export const severity = (description: string, example: Severity) =>
  words(SEVERITIES, description, example);

/** A value that a check has seen, or a limit that it applies. */
const Evidence = Type.Union(
  [
    Type.String(),
    Type.Number(),
    Type.Boolean(),
    Type.Null(),
    Type.Unsafe<readonly string[]>(Type.Array(Type.String())),
  ],
  { description: 'A value that was seen, or a limit.', examples: [11] },
);

/** Schema of a finding, which is the result of one check. */
export const Finding = object(
  'One result of one check.',
  {
    id: text('The check, explained at `/findings/{id}`. New checks may be added.', 'spf_result'),
    area: openWords(AREAS, 'What the check is about. New areas may be added.'),
    severity: severity(
      '`fail` and `warn` need attention. `info` and `pass` cost no points.',
      'pass',
    ),
    state: optional(
      text('Which state of the check applies, as in `states[].name` of `/findings/{id}`.', 'pass'),
    ),
    checked: optional(
      flag('`false`: a lookup for it got no answer, so it neither passes nor fails.'),
    ),
    error: optional(
      object('Why it was not checked.', {
        code: text('How it was looked up: `dns`, `https`, `connection` and others.', 'dns'),
        asked: text('What was looked up.', 'TXT _dmarc.sender.example'),
        reason: text('How the lookup failed.', 'SERVFAIL'),
      }),
    ),
    evidence: optional(
      record(Evidence, 'The values that `detail` puts into words, by name.', {
        lookups: 11,
        limit: 10,
      }),
    ),
    points: optional(count('Points that it costs on its own.', 0, { maximum: 100 })),
    title: text('What was checked.', 'SPF result for the sending IP'),
    detail: optional(
      text('What was seen, and the limit.', '192.0.2.25 passes for sender.example.'),
    ),
    fix: optional(text('What to do.', 'Add "ip4:192.0.2.25" to the SPF record.')),
    cause: optional(text('Findings with the same cause have the same fix.', 'spf:sender.example')),
    actions: optional(list(Action, 'The fix as data: its text is rendered from it.')),
  },
  'Finding',
);
export type Finding = Static<typeof Finding>;

/** Schema of a fix: something to do, with the record or header to publish. */
export const Fix = object(
  'One thing to do.',
  {
    id: text('Its finding: an `id` of `findings`.', 'dmarc_policy'),
    title: text('What was checked.', 'DMARC policy'),
    fix: text('What to do, with the record to publish.', 'Publish p=reject.'),
  },
  'Fix',
);
export type Fix = Static<typeof Fix>;

/** Schema of the calculation behind the score, so that it can be repeated. */
const ScoreBreakdown = object('The score: 100 minus the points, or the cap if lower.', {
  families: list(
    object('Findings of one kind; their points have a limit.', {
      family: text('What the findings are about.', 'spf'),
      points: count('Points that the family costs.', 6),
      limit: count('The most points that it can cost.', 15),
      findings: texts('The findings that cost points.', ['spf_result']),
    }),
    'Every family that costs points.',
  ),
  sum: wholeNumber('100 minus all points; may be below 0.', 87),
  cap: nullable(
    object('The most that the score can be.', {
      value: count('The cap.', 89),
      findings: texts('The findings that set it.', ['rdns_ptr']),
    }),
  ),
  unknown: optional(
    object('What is unknown, and what it could cost. Left out if everything is known.', {
      lowest_score: count('The score if everything unknown were as bad as possible.', 74),
      findings: texts('The findings that could lower it, the costliest first.', ['dmarc_record']),
      not_counted: texts(
        'Findings that this analysis cannot determine; they are not included in the sum.',
        ['spamcop_listed'],
      ),
    }),
  ),
});

/** Schema of the body of a paid response. */
export const Report = object('The report on one email. New members may be added.', {
  schema_version: text(
    'Version of the layout. It changes when the meaning of a member changes.',
    '1',
  ),
  test_id: TestId,
  received_at: instant('When the email arrived.'),
  analyzed_at: optional(instant('When the analysis ended.', '2026-11-20T10:01:01.000Z')),
  expires_at: optional(instant('When the report is deleted.', '2026-11-21T10:01:00.000Z')),
  catalogue_version: optional(
    text('Version of the catalogue with which the email was checked: `/findings`.', '1'),
  ),
  method_version: optional(text('Version of the method of the score: `/method`.', '1')),
  score: count('How sound the configuration and the content are.', 87, {
    maximum: 100,
  }),
  grade: Grade,
  score_breakdown: optional(ScoreBreakdown),
  top_fixes: list(
    Fix,
    'What to fix first: up to 3 of the findings with severity `fail` or `warn`, including findings that cost no points.',
    undefined,
    3,
  ),
  suggestions: list(Fix, 'Improvements that do not change the score.'),
  classification: optional(Classification),
  message: Message,
  connection: Connection,
  cloudflare: optional(Provider),
  authentication: Authentication,
  transport_policy: TransportPolicy,
  links: Links,
  filters: optional(Filters),
  findings: list(Finding, 'The result of every check that applies.', undefined, 200),
  notes: texts('More to know about this report.', [
    'The report measures configuration and content, not inbox placement.',
  ]),
  partial_errors: optional(
    texts('Lookups without an answer, each with the findings that it leaves open.', [
      'dns: TXT _dmarc.sender.example: SERVFAIL (dmarc_record)',
    ]),
  ),
});
export type Report = Static<typeof Report>;

// The guard is marked as pure, because the bundled command includes the schema but not its compiler.
export const isReport = /* @__PURE__ */ guard(Report);
