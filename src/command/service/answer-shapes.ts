import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Check } from '@sinclair/typebox/value';
import type { CreatedTest, TestStatus } from '../../api/schemas/tests.ts';
import { TestId } from '../../domain/ids.ts';
import type { Report } from '../../domain/report/report.ts';
import { TEST_STATUSES } from '../../domain/test-statuses.ts';

/*
 * What the command relies on in an answer, and no more: a later service may send members that are not known
 * here, and what is no service may send anything.
 */

const oneOf = <const W extends readonly string[]>(words: W) =>
  Type.Union(words.map((word) => Type.Literal(word)));

const Text = Type.String();
const OptionalText = Type.Optional(Text);
const TextOrNull = Type.Union([Text, Type.Null()]);

/** `test_id` and `read_token` become part of a file's name, a URL and a header. */
const Created = Type.Object({
  test_id: TestId,
  address: Text,
  read_token: Type.String({ pattern: '^[\\x21-\\x7e]{1,256}$' }),
  send_before: Text,
});

const Reasons = Type.Optional(Type.Array(Type.Object({ code: Text, detail: Text })));

const Status = Type.Object({
  status: oneOf(TEST_STATUSES),
  send_before: Text,
  poll_after_seconds: Type.Number({ minimum: 0 }),
  refusal: Type.Optional(
    Type.Object({
      reasons: Reasons,
      reasons_possible: Reasons,
      send_again_before: OptionalText,
    }),
  ),
  failure: Type.Optional(Type.Object({ detail: Text })),
});

const Fix = { id: Text, title: Text };

const Action = Type.Object({
  operation: Text,
  kind: Text,
  name: TextOrNull,
  value: TextOrNull,
  points: Type.Number(),
});

const Doubt = Type.Object({
  lowest_score: Type.Integer(),
  findings: Type.Array(Text),
  not_counted: Type.Array(Text),
});

const Shown = Type.Object({
  score: Type.Integer({ minimum: 0, maximum: 100 }),
  grade: oneOf(['A', 'B', 'C', 'D', 'F']),
  received_at: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d' }),
  message: Type.Object({ header_from: Type.Object({ domain: TextOrNull }) }),
  score_breakdown: Type.Optional(Type.Object({ unknown: Type.Optional(Doubt) })),
  top_fixes: Type.Array(Type.Object({ ...Fix, fix: Text })),
  findings: Type.Array(
    Type.Object({
      ...Fix,
      area: Text,
      severity: oneOf(['pass', 'info', 'warn', 'fail']),
      checked: Type.Optional(Type.Boolean()),
      detail: OptionalText,
      fix: OptionalText,
      actions: Type.Optional(Type.Array(Action)),
    }),
  ),
});

const checker =
  <T extends Static<S>, S extends TSchema>(schema: S) =>
  (value: unknown): value is T =>
    Check(schema, value);

export const isCreatedTest = checker<CreatedTest, typeof Created>(Created);
export const isTestStatus = checker<TestStatus, typeof Status>(Status);
export const isReadableReport = checker<Report, typeof Shown>(Shown);
