import { fromJsonSchema, type JsonSchemaType } from '@modelcontextprotocol/server';
import { type Static, type TObject, Type } from '@sinclair/typebox';
import { Errors } from '@sinclair/typebox/errors';
import { TestId } from '../domain/ids.ts';

/** A schema of ours as the input of a tool, checked by the library that checks everything else here. */
export const inputOf = <T extends TObject>(schema: T) =>
  fromJsonSchema<Static<T>>(schema as unknown as JsonSchemaType, {
    getValidator: () => (input) => {
      const [error] = [...Errors(schema, input)];
      // The path names an argument; its value may be a token.
      return error
        ? { valid: false, data: undefined, errorMessage: `${error.path}: ${error.message}` }
        : { valid: true, data: input as never, errorMessage: undefined };
    },
  });

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

export const FindingInput = Type.Object({
  id: Type.String({
    pattern: '^[a-z0-9_]{1,60}$',
    description: 'The id of a finding, such as spf_result.',
  }),
});
