/** Declares the schemas of what `--format json` writes. */

import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { TestId } from '../../domain/ids.ts';
import { DomainReport } from '../../domain/report/domain-report.ts';
import { SCHEMA_VERSION } from '../../domain/report/report.ts';
import { COMMAND_CODES, EXIT } from '../exit.ts';

/* The schemas of `--format json`, and the types of what it is made of. */

const text = (description: string) => Type.String({ description });
const integer = (description: string) => Type.Integer({ minimum: 0, description });
const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);

const ExitCode = Type.Union(
  Object.values(EXIT).map((code) => Type.Literal(code)),
  { description: 'What the command ends with; the table stands in its `--help`.' },
);

const Failure = Type.Object(
  {
    gate: Type.Union(
      (['min_score', 'fail_on', 'require'] as const).map((gate) => Type.Literal(gate)),
      { description: 'The option that asks for it.' },
    ),
    id: text('The finding, or `score`.'),
    asked: Type.Union([Type.Number(), Type.String()], {
      description: 'The lowest score that is allowed, the severity that may not be, or `pass`.',
    }),
    seen: Type.Union([Type.Number(), Type.String(), Type.Null()], {
      description:
        'The lowest that the score can be; else the severity, `unknown`, or null where the report lacks the finding.',
    }),
    message: text('The same in words.'),
  },
  { description: 'One thing that is not as it was asked for.' },
);
export type Failure = Static<typeof Failure>;

const Place = Type.Object(
  { line: Type.Integer({ minimum: 1 }), what: text('What stands there: a header, a part.') },
  { description: 'A line of the file that was read.' },
);
export type FilePlace = Static<typeof Place>;

const Judgement = Type.Object(
  {
    exit_code: ExitCode,
    lowest_score: integer('The score if all that is not known were as bad as it can be.'),
    score_text: text(
      'The score and the grade in words; of each the range, where something is not known.',
    ),
    failures: Type.Array(Failure),
    places: Type.Record(Type.String(), Place, { description: 'By the id of a finding.' }),
    remarks: Type.Array(Type.String()),
  },
  { description: 'What was asked of the report, and what of that it is not.' },
);

const ErrorOfCommand = Type.Object(
  {
    code: text(
      `For programs: a code of the service's errors, or one of ${COMMAND_CODES.join(', ')}. New codes may be added.`,
    ),
    message: text('What is wrong, and what to do.'),
    exit_code: ExitCode,
    excused: Type.Optional(
      Type.Literal(true, { description: '`--soft`: the command ends with 0.' }),
    ),
    test_id: Type.Optional(TestId),
    http_status: Type.Optional(integer('Of the answer of the service.')),
    test_status: Type.Optional(text('Where the test stands.')),
    reasons: Type.Optional(
      Type.Array(Type.Object({ code: Type.String(), detail: Type.String() }), {
        description: 'Why the mail was refused, or may not have arrived.',
      }),
    ),
    kept_test: Type.Optional(text('The file of a test whose report could not be read.')),
  },
  { description: 'Why there is no report.' },
);

/** The file next to this one's. */
const Report = Type.Unsafe<object>({ $ref: `report-${SCHEMA_VERSION}.schema.json` });

const Mail = Type.Object({
  file: orNull(text('As it was named; null: stdin.')),
  report: orNull(Report),
  judgement: Type.Optional(Judgement),
  error: Type.Optional(ErrorOfCommand),
});

const Summary = Type.Object({
  mails: integer('How many were named.'),
  passed: integer('Those that are as it was asked for.'),
  below: integer('Those that are not.'),
  errors: integer('Those without a report.'),
  lowest_score: orNull(integer('The lowest that the worst of them can be.')),
  exit_code: ExitCode,
  text: text('The same in words.'),
});
export type Summary = Static<typeof Summary>;

/**
 * The schema of what `--format json` writes: about one email, a domain, a failure, or all emails that were
 * named.
 */
export const commandSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Output of deliverability, layout 1',
  description: 'What `--format json` writes. New members may be added.',
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
