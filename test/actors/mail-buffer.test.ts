/**
 * Tests the memory budget for the bytes of all emails that are being received: which email gives
 * way, how networks share it, and that bytes are overwritten after use.
 */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMailBuffer } from '../../src/actors/receiver/mail-buffer.ts';
import type { Holder } from '../../src/domain/fairness/shares.ts';

const KIB = 1024;
const room = (mailMemoryBytes: number, maxMessageBytes = 1024 * KIB) =>
  createMailBuffer({ mailMemoryBytes, maxMessageBytes });

/** An email from a network, with how many bytes have arrived lately; null once all of it has arrived. */
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
  test('memory is granted as the bytes arrive, whatever size is declared', () => {
    const all = room(200 * KIB);
    const mail = place(all, 100 * KIB);
    expect(all.bytes()).toBe(0);
    mail.write(new Uint8Array(1));
    expect(all.bytes()).toBe(64 * KIB);
    place(all, 10).write(new Uint8Array(10));
    expect(all.bytes()).toBe(64 * KIB + 10);
  });

  test('an email that exceeds it is given up, and its memory is free', () => {
    const all = room(100 * KIB);
    const mail = place(all);
    expect(mail.write(new Uint8Array(64 * KIB))).toBe(true);
    expect(mail.write(new Uint8Array(1))).toBe(false);
    expect(all.bytes()).toBe(0);
    expect(mail.write(new Uint8Array(1))).toBe(false);
    expect(mail.take()).toHaveLength(0);
    expect(all.bytes()).toBe(0);
  });

  test('an email grows in place, by little more than what has arrived', () => {
    const all = room(KIB * KIB);
    const mail = place(all);
    for (const bytes of [64 * KIB, 1]) expect(mail.write(new Uint8Array(bytes))).toBe(true);
    expect(all.bytes()).toBe(128 * KIB);
    expect(mail.write(new Uint8Array(384 * KIB))).toBe(true);
    // 449 KiB are granted in steps of 64 KiB.
    expect(all.bytes()).toBe(512 * KIB);
  });

  test('an email does not grow past the longest that is accepted', () => {
    const all = room(KIB * KIB, 100 * KIB);
    const mail = place(all, 10);
    expect(mail.write(new Uint8Array(100 * KIB))).toBe(true);
    expect(mail.write(new Uint8Array(1))).toBe(false);
    expect(all.bytes()).toBe(0);
  });

  test('when it is full, the least progressed email of the largest network gives way', () => {
    const all = room(4 * KIB * KIB);
    const flood = [5, 1, 3, 4].map((progress) => holder('flood', progress));
    for (const one of flood) place(all, null, one).write(new Uint8Array(800 * KIB));
    expect(place(all, null, holder('b')).write(new Uint8Array(900 * KIB))).toBe(true);
    expect(flood.map(({ gone }) => gone)).toEqual([false, true, false, false]);
  });

  test('if several networks have one email each, the one that holds the most bytes gives way, however fast', () => {
    const all = room(3 * KIB * KIB, 2 * KIB * KIB);
    const slow = holder('a', 1);
    place(all, null, slow).write(new Uint8Array(600 * KIB));
    const fast = holder('b', 9);
    place(all, null, fast).write(new Uint8Array(1500 * KIB));
    const newcomer = place(all, null, holder('c', 5));
    expect(newcomer.write(new Uint8Array(1000 * KIB))).toBe(true);
    expect([slow.gone, fast.gone]).toEqual([false, true]);
  });

  test('of networks that hold the same, the one that has sent the least lately gives way', () => {
    const all = room(3 * KIB * KIB, 2 * KIB * KIB);
    const held = [5, 1, 9].map((progress) => holder(`${progress}`, progress));
    for (const one of held) place(all, null, one).write(new Uint8Array(KIB * KIB));
    expect(place(all, null, holder('new')).write(new Uint8Array(10 * KIB))).toBe(true);
    expect(held.map(({ gone }) => gone)).toEqual([false, true, false]);
  });

  test('an email within its equal share of what others leave is never cut off', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(63), { maxLength: 2000 }), (writers) => {
        const all = room(65 * KIB * KIB, 10 * KIB * KIB);
        const honest = holder('honest');
        const own = place(all, null, honest);
        const crowd = new Map<number, ReturnType<typeof place>>();
        const chunk = new Uint8Array(256 * KIB);
        for (const [n, writer] of writers.entries()) {
          if (!crowd.get(writer)?.write(chunk))
            crowd.set(writer, place(all, null, holder(`crowd ${writer}`, 9)));
          if (n % 100 === 0 && n < 1600) expect(own.write(new Uint8Array(64 * KIB))).toBe(true);
        }
        expect(honest.gone).toBe(false);
      }),
      { numRuns: 30 },
    );
  });

  test('an email that has arrived completely keeps its memory', () => {
    const all = room(KIB * KIB);
    const whole = holder('flood', null);
    place(all, null, whole).write(new Uint8Array(1000 * KIB));
    expect(place(all, null, holder('b')).write(new Uint8Array(200 * KIB))).toBe(false);
    expect(whole.gone).toBe(false);
  });

  describe('for emails that have arrived completely', () => {
    const DEFAULT = 256 * KIB * KIB;
    const whole = (all: ReturnType<typeof room>, network: string, bytes: number) => {
      const one = { ...holder(network), isWhole: false };
      const mail = place(all, null, {
        ...one,
        progress: () => (one.isWhole ? null : 0),
      });
      for (let left = bytes; left > 0; left -= 64 * KIB)
        if (!mail.write(new Uint8Array(Math.min(left, 64 * KIB)))) return undefined;
      one.isWhole = true;
      return mail.keep() ? mail : undefined;
    };

    test('three eighths are reserved for networks above their share', () => {
      const all = room(DEFAULT, 10 * KIB * KIB);
      const kept = Array.from({ length: 64 }, (_, n) => whole(all, `${n}`, 9.9 * KIB * KIB));
      expect(kept.filter(Boolean)).toHaveLength(9);
      expect(all.bytes()).toBeLessThan((DEFAULT * 3) / 8);
      kept.find(Boolean)?.release();
      expect(whole(all, 'another', 9.9 * KIB * KIB)).toBeDefined();
    });

    test('each of 64 networks, and a newcomer, is admitted within its share', () => {
      const all = room(DEFAULT, 10 * KIB * KIB);
      for (let n = 0; n < 20; n++) whole(all, `large ${n}`, 9.9 * KIB * KIB);
      const kept = Array.from({ length: 65 }, (_, n) => whole(all, `${n}`, 2.4 * KIB * KIB));
      expect(kept.filter(Boolean)).toHaveLength(65);
    });

    test('one network does not take all of it in small pieces', () => {
      const all = room(DEFAULT, 10 * KIB * KIB);
      const kept = Array.from({ length: 300 }, () => whole(all, 'flood', KIB * KIB));
      expect(kept.filter(Boolean).length).toBeLessThanOrEqual(96);
      expect(whole(all, 'other', 2 * KIB * KIB)).toBeDefined();
    });

    test('there is always room for one email, however small the memory is', () => {
      const all = room(10 * KIB * KIB, 10 * KIB * KIB);
      const first = whole(all, 'a', 10 * KIB * KIB);
      expect(first).toBeDefined();
      first?.release();
      expect(whole(all, 'b', 10 * KIB * KIB)).toBeDefined();
    });
  });

  test('is never exceeded, whatever is written and released', () => {
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
  test('come out as they came in, however they are divided', () => {
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

  test('are at the beginning of their buffer, so that it can be transferred', () => {
    const mail = place(room(KIB), 10);
    mail.write(Buffer.from('a mail'));
    expect(mail.take().byteOffset).toBe(0);
  });

  test('are gone after release, even if released twice', () => {
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

  test('are not left behind when the buffer grows', () => {
    const mail = place(room(KIB * KIB), 10);
    mail.write(Buffer.from('secret'));
    const before = mail.take();
    mail.write(new Uint8Array(100));
    // The memory is moved once, and its old place no longer exists.
    expect(before.buffer.detached).toBe(true);
    const moved = mail.take();
    mail.write(new Uint8Array(1000));
    expect(mail.take().buffer).toBe(moved.buffer);
    expect(Buffer.from(mail.take()).toString()).toMatch(/^secret\0+$/);
    mail.release();
  });

  test('in a buffer that went to a worker are overwritten by the worker', () => {
    const all = room(KIB * KIB);
    const mail = place(all, 10);
    mail.write(Buffer.from('secret'));
    structuredClone(mail.take(), { transfer: [mail.take().buffer] });
    mail.release();
    expect(all.bytes()).toBe(0);
  });
});

test('an email left for the analyzer is taken once', () => {
  const all = room(KIB);
  const mail = { analyzed: {} as never, created: {} as never, since: 0, handBack: () => {} };
  all.hold('an id', mail);
  expect(all.take('another')).toBeUndefined();
  expect(all.take('an id')).toBe(mail);
  expect(all.take('an id')).toBeUndefined();
});
