import { isReport, type Report } from '../domain/report/report.ts';
import sample from './sample-report.json' with { type: 'json' };

/**
 * The sample report behind `samplereport`, the analysis of a made-up newsletter. A test generates it again
 * from the facts of that email and compares it with this copy.
 */
export const sampleReport: Report = checked(sample);

function checked(value: unknown): Report {
  if (!isReport(value)) throw new TypeError('The sample does not fit the schema of reports.');
  return value;
}
