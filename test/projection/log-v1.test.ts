/** Tests that logs of version 1 can still be read. */

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isReportWritten, isTestEvent, OriginalTestEvent } from '../../src/domain/events.ts';
import { isPaymentEvent, OriginalPaymentEvent } from '../../src/domain/payment-events.ts';
import { upcast } from '../../src/domain/upcast.ts';
import { fold, foldPayment } from '../../src/projection/fold.ts';
import { toRow } from '../../src/projection/row.ts';
import states from '../fixtures/log-v1/states.json' with { type: 'json' };

const folder = new URL('../fixtures/log-v1/', import.meta.url);
const text = readFileSync(new URL('log.jsonl', folder), 'utf8').trim().split('\n');
const lines = text.map(
  (line) =>
    JSON.parse(line) as { stream: string; id: string; seq: number; event: { type: string } },
);

/** Returns the events of one subject, as they are read today. */
function eventsOf<E>(stream: string, id: string, isEvent: (value: unknown) => value is E): E[] {
  const stored = lines.filter((line) => line.stream === stream && line.id === id);
  return stored.map(({ event }) => {
    const read = upcast(event);
    if (!isEvent(read)) throw new Error(`A stored ${event.type} of ${id} is no event any more.`);
    return read;
  });
}

test.each(Object.entries(states.tests))(
  'test %s of version 1 folds to what it was',
  (id, state) => {
    const seq = lines.findLast((line) => line.stream === 'tests' && line.id === id)?.seq ?? 0;
    const row = toRow(fold(eventsOf('tests', id, isTestEvent)), seq);
    expect(row ?? null).toEqual(state);
  },
);

test.each(Object.entries(states.payments))(
  'payment %s of version 1 folds to what it was',
  (id, state) => {
    const { value, context } = foldPayment(eventsOf('payments', id, isPaymentEvent));
    expect({ value, context }).toEqual(state);
  },
);

test('a report of version 1 can still be read', () => {
  expect(eventsOf('reports', 'aaaaaaaaaaaa', isReportWritten)).toHaveLength(1);
});

test('the kept log has every type of event', () => {
  const types = [...OriginalTestEvent.anyOf, ...OriginalPaymentEvent.anyOf].map(
    ({ properties }) => properties.type.const,
  );
  const stored = new Set(lines.map(({ event }) => event.type));
  const missing = [...types, 'ReportWritten'].filter((type) => !stored.has(type));
  expect(missing, 'docs/CONTRIBUTING.md, "Add an event", says how to append one').toEqual([]);
});
