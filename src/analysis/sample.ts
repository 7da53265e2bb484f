import { isReport, type Report } from '../domain/report/report.ts';
import sample from './sample-report.json' with { type: 'json' };

/**
 * The report that `samplereport` stands for: what the analysis says of a made-up newsletter. A test
 * makes it again from the facts of that mail and holds this copy to the result.
 */
export const sampleReport: Report = checked(sample);

function checked(value: unknown): Report {
  if (!isReport(value)) throw new TypeError('The sample does not fit the schema of reports.');
  return value;
}
