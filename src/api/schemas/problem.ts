import { type Static, Type } from '@sinclair/typebox';
import { errors, paymentCodes, publicErrors } from '../../domain/errors.ts';
import { openWords, optional, text, uri } from '../../domain/report/shapes.ts';

const problemOf = (codes: readonly string[]) =>
  Type.Object(
    {
      type: uri(
        'Link to the explanation of the code.',
        'https://mailtest.example/errors#test_not_found',
      ),
      title: text('What the code means, the same each time.', errors.test_not_found.title),
      status: Type.Integer({ description: 'The HTTP status, repeated.', examples: [404] }),
      code: openWords(codes, 'For programs. New codes may be added.', 'test_not_found'),
      detail: optional(
        text(
          'What is wrong with this request, and what to do.',
          'Check the id. A test is deleted 24 hours after its mail arrived.',
        ),
      ),
      request_id: optional(
        text(
          'The id of this request, as in `X-Request-Id`.',
          '0b7c2e4e-5a53-4f0e-9f0a-6a2f7c1d9b11',
        ),
      ),
      test_status: optional(text('With `report_not_ready`: the status of the test.', 'processing')),
    },
    { $id: 'Problem', description: 'An error (RFC 9457).', additionalProperties: true },
  );

const codes = Object.keys(publicErrors);

/** RFC 9457: the body of every error. Some codes carry further members. */
export const Problem = problemOf(codes);
export type Problem = Static<typeof Problem>;

/** The same where nothing is sold. */
export const FreeProblem = problemOf(codes.filter((code) => !paymentCodes.includes(code)));
