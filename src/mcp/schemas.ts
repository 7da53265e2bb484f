import { fromJsonSchema, type JsonSchemaType } from '@modelcontextprotocol/server';
import { type Static, type TObject, Type } from '@sinclair/typebox';
import { Errors } from '@sinclair/typebox/errors';
import { TestId } from '../domain/ids.ts';

/** A schema of ours for a tool, checked by the library that checks everything else here. */
export const schemaOf = <T extends TObject>(schema: T) =>
  // Without the marks of the library that made it, which no JSON has, and the names that the API gives.
  fromJsonSchema<Static<T>>(
    JSON.parse(JSON.stringify({ ...schema, $id: undefined })) as JsonSchemaType,
    {
      getValidator: () => (input) => {
        const [error] = [...Errors(schema, input)];
        // The path names an argument; its value may be a token.
        return error
          ? { valid: false, data: undefined, errorMessage: `${error.path}: ${error.message}` }
          : { valid: true, data: input as never, errorMessage: undefined };
      },
    },
  );

/** Longest wait of one call, in seconds: clients give up after 60. */
const MAX_WAIT_SECONDS = 50;

export const NoInput = Type.Object({});

const testId = Type.String({ ...TestId, description: 'The test_id that create_test returned.' });

export const WaitInput = Type.Object({
  test_id: testId,
  seconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_WAIT_SECONDS,
      description: 'How long to wait for a change. 25 by default; 0 answers at once.',
    }),
  ),
});

export const ReportInput = Type.Object({
  test_id: testId,
  read_token: Type.String({
    pattern: '^[A-Za-z0-9_-]{1,128}$',
    description: 'The read_token that create_test returned.',
  }),
  detail: Type.Optional(
    Type.Union([Type.Literal('summary'), Type.Literal('whole')], {
      description:
        '"summary", the default: score, fixes and what is wrong. "whole": the report as JSON.',
    }),
  ),
});

export const TestMailInput = Type.Object({
  test_id: Type.Optional(testId),
  read_token: Type.Optional(
    Type.String({ ...ReportInput.properties.read_token, description: 'With test_id.' }),
  ),
  seconds: WaitInput.properties.seconds,
});

export const DeleteInput = Type.Pick(ReportInput, ['test_id', 'read_token']);

const text = (description: string) => Type.String({ description });

/** What a report says, small enough for an agent to act on. */
export const ReportVerdict = Type.Object(
  {
    score: Type.Integer({ description: 'From 0 to 100.' }),
    lowest_score: Type.Integer({
      description: 'If all that is not known were as bad as it can be.',
    }),
    grade: text('A to F.'),
    fix_plan: Type.Array(
      Type.Object({
        id: text('The finding: read deliverability://findings/{id}, or call explain_finding.'),
        title: text('What was checked.'),
        fix: text('What to do, with the record to publish.'),
        points: Type.Integer({ description: 'What the score gains by it.' }),
        actions: Type.Array(Type.Object({}, { additionalProperties: true }), {
          description: 'The same as data.',
        }),
      }),
      { description: 'What to fix first, in order.' },
    ),
    wrong: Type.Array(
      Type.Object({
        id: Type.String(),
        severity: Type.String(),
        title: Type.String(),
        detail: Type.String(),
      }),
      { description: 'Every finding that fails or warns.' },
    ),
    unknown: Type.Array(Type.String(), { description: 'Findings that could not be checked.' }),
  },
  { description: 'What the report says.' },
);
export type ReportVerdict = Static<typeof ReportVerdict>;

const { score, grade, ...ofSummary } = ReportVerdict.properties;

/** What reading answers with: the verdict, or with detail "whole" every member of a report. */
export const ReportOutput = Type.Object(
  { score, grade, ...Type.Partial(Type.Object(ofSummary)).properties },
  {
    additionalProperties: true,
    description: 'As in test_mail; with detail "whole" the report: /schemas/report-2.json.',
  },
);

export const DeletedOutput = Type.Object({ test_id: text('The test that is gone.') });

const STAGES = ['send_mail', 'waiting', 'refused', 'analysing', 'ready', 'no_report'] as const;

/** Where a test stands, and what to do next. */
export const TestMailOutput = Type.Object({
  stage: Type.Union(
    STAGES.map((stage) => Type.Literal(stage)),
    {
      description:
        'send_mail: a new test. refused: fix the reasons and send again. ready: verdict is there. no_report: create another test.',
    },
  ),
  test_id: text('Hand it over in the next call.'),
  read_token: Type.Optional(
    text('Of a new test: hand it over in the next call, and keep it secret.'),
  ),
  address: Type.Optional(text('Have one real mail sent to it from the system under test.')),
  send_before: Type.Optional(text('When the address stops to take a mail.')),
  reasons: Type.Optional(
    Type.Array(Type.Object({ code: Type.String(), detail: Type.String() }), {
      description: 'Why there is no report.',
    }),
  ),
  verdict: Type.Optional(ReportVerdict),
  next: text('What to do now.'),
});
export type TestMailOutput = Static<typeof TestMailOutput>;

export const DomainInput = Type.Object({
  domain: Type.String({ maxLength: 255, description: 'The domain of the From addresses.' }),
  selectors: Type.Optional(
    Type.Array(Type.String({ maxLength: 255 }), {
      maxItems: 20,
      description: 'DKIM selectors whose keys are judged.',
    }),
  ),
});

export const FindingInput = Type.Object({
  id: Type.String({
    pattern: '^[a-z0-9_]{1,60}$',
    description: 'The id of a finding, such as spf_result.',
  }),
});
