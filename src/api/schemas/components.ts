import type { TSchema } from '@sinclair/typebox';
import { Catalogue, CatalogueEntry, Method } from './catalogue.ts';
import { DescribedReport } from './described-report.ts';
import { PaymentRequired } from './payment.ts';
import { FreeProblem, Problem } from './problem.ts';
import { CreatedTest, FreeTestStatus, TestStatus } from './tests.ts';

const common = [CreatedTest, CatalogueEntry, Catalogue, Method];

/**
 * Schemas that answers refer to by name: what the OpenAPI shows is what answers are made by.
 *
 * @param sells whether reports are sold; else no schema has what only a payment brings
 */
export const componentsOf = (sells: boolean): readonly TSchema[] => [
  { ...DescribedReport, $id: 'Report' },
  ...(sells ? [Problem, PaymentRequired, TestStatus] : [FreeProblem, FreeTestStatus]),
  ...common,
];
