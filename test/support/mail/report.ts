/** Builds the smallest valid report. */

import { isReport, type Report } from '../../../src/domain/report/report.ts';
import { instant, TEST_ID } from '../process/instants.ts';

/** Returns the smallest valid report. */
export function aReport(overrides: Partial<Report> = {}): Report {
  const report = {
    schema_version: '1',
    test_id: TEST_ID,
    received_at: instant(60),
    score: 97,
    grade: 'A',
    top_fixes: [],
    suggestions: [],
    message: {
      size_bytes: 1200,
      header_from: {
        domain: 'sender.example',
        organizational_domain: 'sender.example',
        display_name_present: false,
        display_name_has_domain: false,
      },
      envelope_from_domain: 'sender.example',
      envelope_null_sender: false,
      list_unsubscribe: {
        present: false,
        valid: false,
        https: false,
        mailto: false,
        one_click: false,
        dkim_covered: false,
        host: null,
      },
    },
    connection: { ip: '192.0.2.25', source: 'smtp' },
    authentication: {
      spf: { result: 'pass', domain: 'sender.example', scope: 'mailfrom', aligned: true },
      dkim: [],
      dmarc: { result: 'pass', policy: 'reject', alignment: { spf: 'strict', dkim: 'none' } },
      arc: { result: 'none', sets: 0 },
      bimi: { result: 'none' },
    },
    transport_policy: { domain: 'sender.example' },
    links: {
      status: 'not_checked',
      provider: null,
      checked_at: null,
      total: 0,
      distinct_domains: 0,
      non_https: 0,
      text_mismatches: [],
      domains: [],
    },
    findings: [],
    notes: [],
    ...overrides,
  };
  if (!isReport(report)) throw new Error('The fixture is no report.');
  return report;
}
