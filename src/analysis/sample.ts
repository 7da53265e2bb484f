import { isReport, type Report } from '../domain/report/report.ts';
import sample from './sample-report.json' with { type: 'json' };

/**
 * Reads the sample report, which has the id `samplereport`, and checks that it matches the schema. It is the
 * report on a made-up newsletter, and a test compares it with one that is made again from the same facts.
 */
export const sampleReport: Report = checked(sample);

function checked(value: unknown): Report {
  if (!isReport(value)) throw new TypeError('The sample does not fit the schema of reports.');
  return value;
}
