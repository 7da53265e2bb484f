import { reportSchemaUrl } from '../../domain/payment-required.ts';
import { SCHEMA_VERSION } from '../../domain/report/report.ts';
import { DescribedReport } from '../schemas/described-report.ts';

/** `REPORT_SCHEMA_PATH`: the report's schema alone, with an example of each field. */
export const reportSchema = (baseUrl: string) => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: reportSchemaUrl(baseUrl),
  title: `Report, layout ${SCHEMA_VERSION}`,
  ...DescribedReport,
});
