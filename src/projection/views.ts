/**
 * Makes the entries of the buckets `status` and `reports` from rows and events, and recognizes those of
 * reports.
 */

import type { ReportWritten } from '../domain/events.ts';
import { isLowWater } from '../domain/high-water-marks.ts';
import { isReport, type Report } from '../domain/report/report.ts';
import type { StatusView } from '../domain/status-view.ts';
import { expiry } from './deadlines.ts';
import type { Row } from './row.ts';

/** A test's entry in the bucket `reports`: the report that its `AnalysisDone` names. */
export interface ReportView {
  /** Sequence number of its `ReportWritten` in the stream of reports. */
  readonly seq: number;
  readonly report: Report;
}

export const isReportView = (value: unknown): value is ReportView =>
  isLowWater(value) && 'report' in value && isReport(value.report);

export const toReportView = (seq: number, { data }: ReportWritten): ReportView => ({
  seq,
  report: data.report,
});

/** Returns the part of a row that may be shown. */
export function toStatusView(row: Row): StatusView {
  const { seq, status, refused, context } = row;
  return {
    seq,
    status,
    refused,
    send_before: context.sendBefore,
    received_at: context.receivedAt,
    expires_at: new Date(expiry(row)).toISOString(),
  };
}
