import { type Static, Type } from '@sinclair/typebox';
import { errors, publicErrors } from '../../domain/errors.ts';
import { words } from '../../domain/report/shapes.ts';

/** RFC 9457: the body of every error. Some codes carry further members. */
export const Problem = Type.Object(
  {
    type: Type.String({
      description: 'Link to the explanation of the code.',
      examples: ['https://mailtest.example/errors#test_not_found'],
    }),
    title: Type.String({
      description: 'What the code means, the same each time.',
      examples: [errors.test_not_found.title],
    }),
    status: Type.Integer({ description: 'The HTTP status, repeated.', examples: [404] }),
    code: Type.Unsafe<keyof typeof publicErrors>({
      ...words(...Object.keys(publicErrors)),
      description: 'What went wrong, for programs. It is never renamed.',
      examples: ['test_not_found'],
    }),
    detail: Type.Optional(
      Type.String({
        description: 'What is wrong with this request, and what to do.',
        examples: ['Tests are deleted 24 hours after the mail arrived.'],
      }),
    ),
    test_status: Type.Optional(
      Type.String({
        description: 'With `report_not_ready`: the state of the test.',
        examples: ['processing'],
      }),
    ),
  },
  {
    $id: 'Problem',
    description: 'An error (RFC 9457).',
    additionalProperties: true,
  },
);
export type Problem = Static<typeof Problem>;
