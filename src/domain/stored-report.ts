/**
 * Writes reports in the form in which the log and the bucket `reports` store them, without parsing their JSON
 * again.
 */

import type { ReportWritten } from './events.ts';

/** A report's JSON in UTF-8, which was written and checked where the report was made. */
export type ReportJson = Uint8Array<ArrayBuffer>;

/** Writes a `ReportWritten` event as it is stored, around a report that is already JSON. */
export function toStoredEvent(envelope: Omit<ReportWritten, 'data'>, report: ReportJson): Buffer {
  const head = JSON.stringify(envelope).slice(0, -1);
  return around(`${head},"data":{"report":`, report, '}}');
}

/** Writes a test's entry in the bucket `reports`, around the report's JSON. */
export const toStoredView = (seq: number, report: ReportJson): Buffer =>
  around(`{"seq":${seq},"report":`, report, '}');

const around = (before: string, report: ReportJson, after: string): Buffer =>
  Buffer.concat([Buffer.from(before), report, Buffer.from(after)]);
