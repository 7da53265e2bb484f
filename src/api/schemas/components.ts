import type { TSchema } from '@sinclair/typebox';
import { checks } from '../../analysis/checks.ts';
import { Finding, Report } from '../../domain/report/report.ts';
import { Catalogue, CatalogueEntry, Method } from './catalogue.ts';
import { PaymentRequired } from './payment.ts';
import { FreeProblem, Problem } from './problem.ts';
import { CreatedTest, FreeTestStatus, TestStatus } from './tests.ts';

const { findings } = Report.properties;

/** The report as the API describes it: with the ids of the checks that there are. */
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
 * Schemas that answers refer to by name: what the OpenAPI shows is what answers are made by.
 *
 * @param sells whether reports are sold; else no schema has what only a payment brings
 */
export const componentsOf = (sells: boolean): readonly TSchema[] => [
  { ...DescribedReport, $id: 'Report' },
  ...(sells ? [Problem, PaymentRequired, TestStatus] : [FreeProblem, FreeTestStatus]),
  ...common,
];
