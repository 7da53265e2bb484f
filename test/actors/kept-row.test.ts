/** Tests that a test's state survives being packed into less memory. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keepRow, packRow, rowOf, statusOf } from '../../src/actors/follower/kept-row.ts';
import type { TestEvent } from '../../src/domain/events.ts';
import { fold } from '../../src/projection/fold.ts';
import { type Row, toRow } from '../../src/projection/row.ts';
import { anEvent } from '../support/log/events.ts';

const created = anEvent('TestCreated', 0, { token_sha256: '0189abcdef'.padEnd(64, '0') });
const arrived = anEvent('MailArrived', 60);
const refused = anEvent('MailRefused', 30);

const histories: Readonly<Record<string, readonly TestEvent[]>> = {
  waiting: [created],
  refused: [created, refused],
  'refused twice': [created, refused, anEvent('MailRefused', 40)],
  processing: [created, refused, arrived],
  'waiting again': [created, arrived, anEvent('AnalysisTimeout', 120)],
  ready: [created, arrived, anEvent('AnalysisDone', 61)],
  failed: [created, arrived, anEvent('AnalysisFailed', 61)],
  'timed out': [created, refused, anEvent('RefusalTimeout', 930)],
  closed: [created, anEvent('WindowClosed', 3600)],
};

const aRow = (events: readonly TestEvent[], seq = 7) => toRow(fold(events), seq) as Row;

function packed(row: Row) {
  const kept = keepRow(row);
  packRow(kept);
  return kept;
}

test.each(Object.entries(histories))(
  'a row of a test that is %s is the same after unpacking',
  (_name, events) => {
    const row = aRow(events);
    const kept = keepRow(row);
    expect([rowOf(kept), statusOf(kept)]).toEqual([row, row.status]);
    packRow(kept);
    expect(kept.row).toBeNull();
    expect([rowOf(kept), statusOf(kept)]).toEqual([row, row.status]);
  },
);

test('whatever the instants, hashes and positions are, nothing is lost', () => {
  const instant = fc
    .date({ min: new Date(0), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true })
    .map((date) => date.toISOString());
  const hash = fc
    .uint8Array({ minLength: 32, maxLength: 32 })
    .map((bytes) => Buffer.from(bytes).toString('hex'));
  const row = aRow(histories.ready ?? []);
  fc.assert(
    fc.property(instant, instant, instant, hash, hash, fc.maxSafeNat(), (...chosen) => {
      const [createdAt, receivedAt, expiresAt, tokenSha256, digest, seq] = chosen;
      const context = { ...row.context, createdAt, receivedAt, expiresAt, tokenSha256, digest };
      expect(rowOf(packed({ ...row, seq, context }))).toEqual({ ...row, seq, context });
    }),
  );
});

test.each([
  '2026-02-30T10:00:00.000Z',
  '2026-13-01T10:00:00.000Z',
  '2026-11-20T24:00:00.000Z',
  '2026-11-20T10:60:00.000Z',
  '2026-11-20T10:00:60.000Z',
])(
  '%s consists of the letters of an instant but is none: such a row stays as it is',
  (createdAt) => {
    const row = aRow(histories.ready ?? []);
    const odd = { ...row, context: { ...row.context, createdAt } };
    const kept = packed(odd);
    expect(kept.row).toBe(odd);
    expect([rowOf(kept), statusOf(kept)]).toEqual([odd, 'ready']);
  },
);
