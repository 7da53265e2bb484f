/**
 * Declares the members on which the command relies in the responses of the service, and checks responses for
 * them.
 */

import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Check } from '@sinclair/typebox/value';
import { CreatedTest, TestStatus } from '../../api/schemas/tests.ts';
import { Action } from '../../domain/report/action.ts';
import { Finding, Report } from '../../domain/report/report.ts';

// The command relies on these members and no others: a newer service may send further members, an older one
// may lack some, and a server that is not a deliverability test service may send anything.

const Created = Type.Object({
  ...Type.Pick(CreatedTest, ['test_id', 'address', 'send_before']).properties,
  // The characters are limited because `test_id` and the token become part of a file name, a URL and a
  // header.
  read_token: Type.String({ pattern: '^[\\x21-\\x7e]{1,256}$' }),
});

const Status = Type.Pick(TestStatus, [
  ...(['status', 'send_before', 'poll_after_seconds', 'refusal', 'failure'] as const),
]);

const { message, score_breakdown } = Report.properties;

const Shown = Type.Object({
  ...Type.Pick(Report, ['score', 'grade', 'received_at', 'top_fixes']).properties,
  message: Type.Object({ header_from: Type.Pick(message.properties.header_from, ['domain']) }),
  score_breakdown: Type.Optional(Type.Pick(score_breakdown, ['unknown'])),
  findings: Type.Array(
    Type.Object({
      ...Type.Omit(Finding, ['state', 'error', 'evidence', 'points', 'cause']).properties,
      actions: Type.Optional(
        Type.Array(Type.Pick(Action, ['operation', 'kind', 'name', 'value', 'points'])),
      ),
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
