import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMailBuffer } from '../../src/actors/receiver/mail-buffer.ts';
import type { Holder } from '../../src/domain/fairness/shares.ts';

const KIB = 1024;
const room = (mailMemoryBytes: number, maxMessageBytes = 1024 * KIB) =>
  createMailBuffer({ mailMemoryBytes, maxMessageBytes });

/** A mail of a network, with what came of it lately; null: all has come. */
const holder = (network = 'a', progress: number | null = 0): Holder & { gone: boolean } => {
  const one = {
    path: [network],
    gone: false,
    progress: () => progress,
    giveWay: () => {
      one.gone = true;
    },
  };
  return one;
};

const place = (of: ReturnType<typeof room>, declared: number | null = null, of_ = holder()) =>
  of.reserve(declared, of_);

describe('the budget', () => {
  test('memory is granted as the bytes come, whatever is declared', () => {
    const all = room(200 * KIB);
    const mail = place(all, 100 * KIB);
    expect(all.bytes()).toBe(0);
    mail.write(new Uint8Array(1));
    expect(all.bytes()).toBe(64 * KIB);
    place(all, 10).write(new Uint8Array(10));
    expect(all.bytes()).toBe(64 * KIB + 10);
  });

  test('a mail that outgrows it is given up, and its room is free', () => {
    const all = room(100 * KIB);
    const mail = place(all);
    expect(mail.write(new Uint8Array(64 * KIB))).toBe(true);
    expect(mail.write(new Uint8Array(1))).toBe(false);
    expect(all.bytes()).toBe(0);
    expect(mail.write(new Uint8Array(1))).toBe(false);
    expect(mail.take()).toHaveLength(0);
    expect(all.bytes()).toBe(0);
  });

  test('a mail grows where it is: only its new size counts', () => {
    const all = room(128 * KIB);
    const mail = place(all);
    for (const bytes of [64 * KIB, 1]) expect(mail.write(new Uint8Array(bytes))).toBe(true);
    expect(all.bytes()).toBe(128 * KIB);
  });

  test('nor does a mail grow past the longest that is accepted', () => {
    const all = room(KIB * KIB, 100 * KIB);
    const mail = place(all, 10);
    expect(mail.write(new Uint8Array(100 * KIB))).toBe(true);
    expect(mail.write(new Uint8Array(1))).toBe(false);
    expect(all.bytes()).toBe(0);
  });

  test('large mails leave an eighth to the others', () => {
    const all = room(64 * KIB * KIB, 10 * KIB * KIB);
    for (let n = 0; n < 7; n++)
      expect(place(all, null, holder(`${n}`, null)).write(new Uint8Array(8 * KIB * KIB))).toBe(
        true,
      );
    expect(place(all, null, holder('a')).write(new Uint8Array(1100 * KIB))).toBe(false);
    expect(place(all, null, holder('a')).write(new Uint8Array(900 * KIB))).toBe(true);
  });

  test('when it is full the least progressed mail of the largest network gives way', () => {
    const all = room(4 * KIB * KIB);
    const flood = [5, 1, 3, 4].map((progress) => holder('flood', progress));
    for (const one of flood) place(all, null, one).write(new Uint8Array(800 * KIB));
    expect(place(all, null, holder('b')).write(new Uint8Array(900 * KIB))).toBe(true);
    expect(flood.map(({ gone }) => gone)).toEqual([false, true, false, false]);
  });

  test('among networks with a mail each the least progressed gives way, whatever their sizes', () => {
    const all = room(3 * KIB * KIB, 2 * KIB * KIB);
    const stalled = holder('a', 1);
    place(all, null, stalled).write(new Uint8Array(600 * KIB));
    const fast = place(all, null, holder('b', 9));
    expect(fast.write(new Uint8Array(1500 * KIB))).toBe(true);
    place(all, null, holder('c', 5)).write(new Uint8Array(1000 * KIB));
    expect(stalled.gone).toBe(true);
    expect(fast.take()).toHaveLength(1500 * KIB);
  });

  test('a mail that has come whole keeps its memory', () => {
    const all = room(KIB * KIB);
    const whole = holder('flood', null);
    place(all, null, whole).write(new Uint8Array(1000 * KIB));
    expect(place(all, null, holder('b')).write(new Uint8Array(200 * KIB))).toBe(false);
    expect(whole.gone).toBe(false);
  });

  test('is never passed, whatever is written and released', () => {
    const step = fc.record({
      slot: fc.nat(4),
      bytes: fc.nat(90 * KIB),
      release: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const all = room(400 * KIB, 200 * KIB);
        const places: (ReturnType<typeof all.reserve> | undefined)[] = [];
        for (const { slot, bytes, release } of steps) {
          places[slot] ??= all.reserve(bytes === 0 ? null : bytes, holder(`${slot % 2}`, slot));
          places[slot]?.write(new Uint8Array(bytes));
          if (release) {
            places[slot]?.release();
            places[slot] = undefined;
          }
          expect(all.bytes()).toBeGreaterThanOrEqual(0);
          expect(all.bytes()).toBeLessThanOrEqual(400 * KIB);
        }
        for (const one of places) one?.release();
        expect(all.bytes()).toBe(0);
      }),
    );
  });
});

describe('the bytes', () => {
  test('come out as they came in, however divided', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40 * KIB })), (parts) => {
        const mail = place(room(64 * 1024 * KIB, 16 * 1024 * KIB), 10);
        for (const part of parts) mail.write(part);
        expect(Buffer.from(mail.take()).equals(Buffer.concat(parts))).toBe(true);
        mail.release();
      }),
      { numRuns: 30 },
    );
  });

  test('begin their buffer, so that it can be transferred', () => {
    const mail = place(room(KIB), 10);
    mail.write(Buffer.from('a mail'));
    expect(mail.take().byteOffset).toBe(0);
  });

  test('are gone after release, twice told or not', () => {
    const all = room(KIB * KIB);
    const mail = place(all, 10);
    mail.write(Buffer.from('secret'));
    const bytes = mail.take();
    mail.release();
    mail.release();
    expect(bytes).toHaveLength(0);
    expect(bytes.buffer.detached).toBe(true);
    expect(all.bytes()).toBe(0);
  });

  test('are overwritten before the memory is given back', () => {
    const mail = place(room(KIB * KIB), 10);
    mail.write(Buffer.from('secret'));
    const { buffer } = mail.take();
    let copied: string | undefined;
    const transfer = buffer.transfer.bind(buffer);
    buffer.transfer = (length) => {
      copied = Buffer.from(buffer).toString();
      return transfer(length);
    };
    mail.release();
    expect(copied).toMatch(/^\0+$/);
  });

  test('are not left behind when the room grows', () => {
    const mail = place(room(KIB * KIB), 10);
    mail.write(Buffer.from('secret'));
    const before = mail.take();
    mail.write(new Uint8Array(100));
    // It moves once, and what it leaves is gone.
    expect(before.buffer.detached).toBe(true);
    const moved = mail.take();
    mail.write(new Uint8Array(1000));
    expect(mail.take().buffer).toBe(moved.buffer);
    expect(Buffer.from(mail.take()).toString()).toMatch(/^secret\0+$/);
    mail.release();
  });

  test('in a buffer that went to a worker are the worker’s to overwrite', () => {
    const all = room(KIB * KIB);
    const mail = place(all, 10);
    mail.write(Buffer.from('secret'));
    structuredClone(mail.take(), { transfer: [mail.take().buffer] });
    mail.release();
    expect(all.bytes()).toBe(0);
  });
});

test('a mail left for the analyzer is taken once', () => {
  const all = room(KIB);
  const mail = { analyzed: {} as never, created: {} as never, since: 0, handBack: () => {} };
  all.hold('an id', mail);
  expect(all.take('another')).toBeUndefined();
  expect(all.take('an id')).toBe(mail);
  expect(all.take('an id')).toBeUndefined();
});
