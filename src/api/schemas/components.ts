import { Report } from '../../domain/report/report.ts';
import { Catalogue, CatalogueEntry, Method } from './catalogue.ts';
import { PaymentRequired } from './payment.ts';
import { Problem } from './problem.ts';
import { CreatedTest, TestStatus } from './tests.ts';

/** Schemas that answers refer to by name: what the OpenAPI shows is what answers are made by. */
export const components = [
  { ...Report, $id: 'Report' },
  Problem,
  PaymentRequired,
  CreatedTest,
  TestStatus,
  CatalogueEntry,
  Catalogue,
  Method,
];
