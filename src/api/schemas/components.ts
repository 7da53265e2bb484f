/**
 * Lists the schemas that the OpenAPI document refers to by name, and declares those of errors and of the
 * report with the ids of all checks.
 */

import { type TSchema, Type } from '@sinclair/typebox';
import { checks } from '../../analysis/checks.ts';
import { errors, paymentCodes, publicErrors } from '../../domain/errors.ts';
import { Finding, Report } from '../../domain/report/report.ts';
import { openWords, optional, text, uri } from '../../domain/report/shapes.ts';
import { Catalogue, CatalogueEntry, Method } from './catalogue.ts';
import { PaymentRequired } from './payment.ts';
import { CreatedTest, FreeTestStatus, TestStatus } from './tests.ts';
import { WalletState } from './wallets.ts';

const problemOf = (codes: readonly string[]) =>
  Type.Object(
    {
      type: uri(
        'Link to the explanation of the code.',
        'https://mailtest.example/errors#test_not_found',
      ),
      title: text('What the code means; always the same for a code.', errors.test_not_found.title),
      status: Type.Integer({ description: 'The HTTP status, repeated.', examples: [404] }),
      code: openWords(codes, 'New codes may be added.', 'test_not_found'),
      detail: optional(
        text(
          'What is wrong with this request, and what to do.',
          'Check the id. A test is deleted 24 hours after its email arrived.',
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

/** Schema of the body of every error (RFC 9457). Some codes have further members. */
const Problem = problemOf(codes);

/** Schema of the body of every error if reports are free. */
const FreeProblem = problemOf(codes.filter((code) => !paymentCodes.includes(code)));

const { findings } = Report.properties;

/** Schema of the report as the API describes it, with the ids of all checks. */
export const DescribedReport = {
  ...Report,
  properties: {
    ...Report.properties,
    findings: {
      ...findings,
      items: {
        ...Finding,
        properties: {
          ...Finding.properties,
          id: { ...Finding.properties.id, 'x-extensible-enum': checks.map(({ id }) => id) },
        },
      },
    },
  },
};

const common = [CreatedTest, CatalogueEntry, Catalogue, Method];

/**
 * Returns the schemas to which responses refer by name: responses are made with the same schemas that the
 * OpenAPI document shows.
 *
 * @param sells whether reports are sold; if not, no schema contains anything that only a payment requires
 */
export const componentsOf = (sells: boolean): readonly TSchema[] => [
  { ...DescribedReport, $id: 'Report' },
  ...(sells ? [Problem, PaymentRequired, TestStatus, WalletState] : [FreeProblem, FreeTestStatus]),
  ...common,
];
