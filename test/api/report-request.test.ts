/** Tests which requests for a report are refused before a payment is considered. */

import { expect, test } from 'vitest';
import { judgeReportRequest } from '../../src/api/routes/report.ts';
import type { TestEvent } from '../../src/domain/events.ts';
import { fold } from '../../src/projection/fold.ts';
import { toRow } from '../../src/projection/row.ts';
import { arrived, created, ready, TOKEN_SHA256 } from './harness.ts';

const right = (hash: string) => hash === TOKEN_SHA256;
const wrong = () => false;
const row = (events: readonly TestEvent[]) => toRow(fold(events), 1);

test.each([
  ['no test', [], right, 'test_not_found'],
  ['no test and a wrong token', [], wrong, 'test_not_found'],
  ['a wrong token', ready(), wrong, 'wrong_read_token'],
  ['a wrong token before a report', [created()], wrong, 'wrong_read_token'],
  ['no email yet', [created()], right, 'report_not_ready'],
  ['an email in analysis', [created(), arrived()], right, 'report_not_ready'],
  ['a report', ready(), right, undefined],
] as const)('%s', (_name, events, fits, refusal) => {
  expect(judgeReportRequest(row(events), fits)).toBe(refusal);
});
