/** Tests that every event increases the position of a test. */

import { expect, test } from 'vitest';
import { fold } from '../../src/projection/fold.ts';
import { positionOf } from '../../src/projection/position.ts';
import { toRow } from '../../src/projection/row.ts';
import { anEvent } from '../support/log/events.ts';

const refused = (n: number, seconds: number) =>
  Array.from({ length: n }, () => anEvent('MailRefused', seconds));
const lost = (attempt: number, seconds: number) => [
  anEvent('MailArrived', seconds, { attempt }),
  anEvent('AnalysisTimeout', seconds + 60, { attempt }),
];
const beginning = [
  anEvent('TestCreated'),
  ...refused(16, 10),
  ...lost(1, 20),
  ...refused(3, 100),
  ...lost(2, 120),
];
const arrival = anEvent('MailArrived', 200, { attempt: 3 });

test.each([
  ['a report', [...beginning, arrival, anEvent('AnalysisDone', 210, { attempt: 3 })]],
  ['a failure', [...beginning, arrival, anEvent('AnalysisFailed', 210, { attempt: 3 })]],
  ['the third loss', [...beginning, ...lost(3, 200)]],
  ['a refusal', [...beginning, ...refused(1, 200), anEvent('RefusalTimeout', 1100)]],
  ['nothing', [anEvent('TestCreated'), anEvent('WindowClosed', 3600)]],
])('until %s, each event advances the position of a test', (_end, events) => {
  const positions = events.map((_, n) => {
    const row = toRow(fold(events.slice(0, n + 1)), n + 1);
    return row ? positionOf(row) : Number.NaN;
  });
  const rising = [...new Set(positions)].toSorted((one, other) => one - other);
  expect(positions).toEqual(rising);
  expect(positions.every(Number.isInteger)).toBe(true);
});
