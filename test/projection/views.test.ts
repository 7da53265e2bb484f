/** Tests the bucket entries that are made from events. */

import { expect, test } from 'vitest';
import { isLowWater } from '../../src/domain/high-water-marks.ts';
import { isStatusView } from '../../src/domain/status-view.ts';
import { fold } from '../../src/projection/fold.ts';
import { toRow } from '../../src/projection/row.ts';
import { isReportView, toReportView, toStatusView } from '../../src/projection/views.ts';
import { anEvent, aReportWritten } from '../support/log/events.ts';
import { aReport } from '../support/mail/report.ts';
import { instant } from '../support/process/instants.ts';

test.each([
  [{ seq: 1 }, true],
  [{ seq: 1.5 }, false],
  [{ seq: '1' }, false],
  [{}, false],
  [null, false],
  [undefined, false],
  [7, false],
])('%j as a low-water mark: %s', (value, expected) => {
  expect(isLowWater(value)).toBe(expected);
});

const report = aReport();

test.each([
  [{ seq: 1, report }, true],
  [{ seq: 1.5, report }, false],
  [{ report }, false],
  [{ seq: 1 }, false],
  [{ seq: 1, report: { ...report, score: 'A' } }, false],
  [null, false],
  [undefined, false],
  [7, false],
])('a bucket entry of a report, case %#', (value, expected) => {
  expect(isReportView(value)).toBe(expected);
});

test('a written report becomes an entry with its own sequence number', () => {
  expect(toReportView(7, aReportWritten())).toEqual({ seq: 7, report });
});

test.each([
  [[anEvent('TestCreated')], 'waiting', false, null, 86_400],
  [[anEvent('TestCreated'), anEvent('MailRefused', 10)], 'waiting', true, null, 86_400],
  [[anEvent('TestCreated'), anEvent('MailArrived', 60)], 'processing', false, 60, 86_460],
] as const)('a row becomes an entry, case %#', (events, status, refused, received, expires) => {
  const row = toRow(fold(events), 5);
  const view = row && toStatusView(row);
  expect(view).toEqual({
    seq: 5,
    status,
    refused,
    send_before: instant(3600),
    received_at: received === null ? null : instant(received),
    expires_at: instant(expires),
  });
  expect(isStatusView(view)).toBe(true);
});
