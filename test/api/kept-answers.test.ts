/** Tests the cache of responses to status polls. */

import { expect, test } from 'vitest';
import { keptAnswers } from '../../src/api/routes/status-at-once.ts';
import { fold } from '../../src/projection/fold.ts';
import { toRow } from '../../src/projection/row.ts';
import { anEvent } from '../support/log/events.ts';
import { T0, TEST_ID } from '../support/process/instants.ts';
import { settings } from './harness.ts';

const rowOf = (...events: Parameters<typeof anEvent>[0][]) =>
  toRow(fold(events.map((type, n) => anEvent(type, 60 * n))), 1);

function someAnswers() {
  const known = {
    row: rowOf('TestCreated'),
    has: true,
    now: T0 + 1000,
    isBehind: false,
    peeks: 0,
    change: () => {},
  };
  const rows = {
    has: () => known.has,
    onRow: (listener: (testId: string) => void) => {
      known.change = () => listener(TEST_ID);
    },
    peek: () => {
      known.peeks += 1;
      return known.row;
    },
    isBehind: () => known.isBehind,
    find: async () => undefined,
    refresh: async () => undefined,
  };
  const find = keptAnswers({ rows, clock: () => known.now, settings: settings() });
  return { known, find: () => find(TEST_ID) };
}

test('a response is made once for each change of its test', () => {
  const { known, find } = someAnswers();
  for (let n = 0; n < 3; n++) expect(JSON.parse(find()?.body ?? '').status).toBe('waiting');
  expect(known.peeks).toBe(1);
  known.row = rowOf('TestCreated', 'MailArrived');
  known.change();
  expect(JSON.parse(find()?.body ?? '').status).toBe('processing');
});

test('a test that is unknown, frozen, past its deletion or perhaps outdated has none', () => {
  const { known, find } = someAnswers();
  expect(find()).toBeDefined();
  known.isBehind = true;
  expect(find()).toBeUndefined();
  known.isBehind = false;
  known.now = T0 + 10 * 86_400_000;
  expect(find()).toBeUndefined();
  known.now = T0;
  known.has = false;
  known.change();
  expect(find()).toBeUndefined();
});
