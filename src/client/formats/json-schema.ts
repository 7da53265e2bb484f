/** Declares the JSON Schemas of the output of `--format json`. */

import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { TestId } from '../../domain/ids.ts';
import { DomainReport } from '../../domain/report/domain-report.ts';
import { SCHEMA_VERSION } from '../../domain/report/report.ts';
import { COMMAND_CODES, EXIT } from '../exit.ts';

const text = (description: string) => Type.String({ description });
const integer = (description: string) => Type.Integer({ minimum: 0, description });
const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);

const ExitCode = Type.Union(
  Object.values(EXIT).map((code) => Type.Literal(code)),
  { description: 'The exit code of the command; `--help` lists all codes.' },
);

const Failure = Type.Object(
  {
    gate: Type.Union(
      (['min_score', 'fail_on', 'require'] as const).map((gate) => Type.Literal(gate)),
      { description: 'The option that sets the condition.' },
    ),
    id: text('The id of the finding, or `score`.'),
    asked: Type.Union([Type.Number(), Type.String()], {
      description: 'The lowest score allowed, the severity that is not allowed, or `pass`.',
    }),
    seen: Type.Union([Type.Number(), Type.String(), Type.Null()], {
      description:
        'For the score, the lowest that it could be. For a finding, its severity, `unknown`, or null if the report lacks it.',
    }),
    message: text('The same, in words.'),
  },
  { description: 'A condition that is not met.' },
);
export type Failure = Static<typeof Failure>;

const Place = Type.Object(
  { line: Type.Integer({ minimum: 1 }), what: text('What the line contains: a header or a part.') },
  { description: 'A line of the file.' },
);
export type FilePlace = Static<typeof Place>;

const Judgement = Type.Object(
  {
    exit_code: ExitCode,
    lowest_score: integer('The score if every unknown turned out as badly as possible.'),
    score_text: text('The score and the grade in words; each as a range if something is unknown.'),
    failures: Type.Array(Failure),
    places: Type.Record(Type.String(), Place, { description: 'Keyed by the id of a finding.' }),
    remarks: Type.Array(Type.String()),
  },
  { description: 'The conditions for the report, and those that it does not meet.' },
);

const ErrorOfCommand = Type.Object(
  {
    code: text(
      `For programs: a code of the service's errors, or one of ${COMMAND_CODES.join(', ')}. New codes may be added.`,
    ),
    message: text('What went wrong, and what to do.'),
    exit_code: ExitCode,
    excused: Type.Optional(
      Type.Literal(true, { description: 'Because of `--soft`, the command exits with 0.' }),
    ),
    test_id: Type.Optional(TestId),
    http_status: Type.Optional(integer("The status of the service's response.")),
    test_status: Type.Optional(text('The status of the test.')),
    reasons: Type.Optional(
      Type.Array(
        Type.Object({
          code: Type.String(),
          detail: Type.String(),
          remedy: Type.Optional(text('After a refusal: what to do.')),
          record: Type.Optional(
            Type.Object(
              { name: Type.String(), type: Type.String(), value: Type.String() },
              { description: 'A DNS record to publish, where none exists.' },
            ),
          ),
        }),
        { description: 'Why the email was refused, or why it may not have arrived.' },
      ),
    ),
    kept_test: Type.Optional(text('The file of the test whose report could not be read.')),
  },
  { description: 'Why there is no report.' },
);

/** Refers to the report's schema, which is in a file next to this schema. */
const Report = Type.Unsafe<object>({ $ref: `report-${SCHEMA_VERSION}.schema.json` });

const Mail = Type.Object({
  file: orNull(text('The file as it was named; null for stdin.')),
  report: orNull(Report),
  judgement: Type.Optional(Judgement),
  error: Type.Optional(ErrorOfCommand),
});

const Summary = Type.Object({
  mails: integer('How many emails were named.'),
  passed: integer('How many meet the conditions.'),
  below: integer('How many do not.'),
  errors: integer('How many have no report.'),
  lowest_score: orNull(integer('The lowest score that any of them could have.')),
  exit_code: ExitCode,
  text: text('The same, in words.'),
});
export type Summary = Static<typeof Summary>;

/**
 * The schema of the output of `--format json`, which is about one email, a domain, a failure, or all emails
 * that were named.
 */
export const commandSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Output of deliverability, layout 1',
  description: 'The output of `--format json`. New members may be added.',
  oneOf: [
    { allOf: [Report, Type.Object({ judgement: Judgement })] },
    Type.Composite([
      DomainReport,
      Type.Object({ judgement: Type.Omit(Judgement, ['lowest_score', 'score_text']) }),
    ]),
    Type.Object({ error: ErrorOfCommand }),
    Type.Object({ mails: Type.Array(Mail), summary: Summary }),
  ],
};
