/** Tests how the analyses of several emails share one thread. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createSlices, type SliceStep } from '../../src/inspection/slices.ts';

/** Duration of work that is longer than a slice, in milliseconds. */
const LONG_MS = 20;

interface Piece {
  readonly network?: string;
  readonly bytes?: number;
  readonly step?: SliceStep;
  readonly work?: () => unknown;
}

/** Returns slices that record the order in which the pieces of work ran. */
function noted() {
  let now = 0;
  const inSlice = createSlices(() => now);
  const order: string[] = [];
  const run = (
    name: string,
    { network = 'one', bytes = 1000, step = 'read', work = () => {} }: Piece = {},
  ) =>
    inSlice(step, { bytes, path: [network, name] }, () => {
      order.push(name);
      return work();
    });
  const passTime = () => {
    now += LONG_MS;
  };
  return { order, run, passTime };
}

test('small emails go first, in turn by network, and work that fails stops no other', async () => {
  const { order, run } = noted();
  const broken = run('broken', {
    network: 'flood',
    work: () => {
      throw new Error('broken');
    },
  });
  await Promise.all([
    expect(broken).rejects.toThrow('broken'),
    run('large', { network: 'honest', bytes: 900_000 }),
    run('flood 1', { network: 'flood' }),
    run('flood 2', { network: 'flood' }),
    run('honest', { network: 'honest', bytes: 60_000 }),
  ]);
  expect(order).toEqual(['broken', 'honest', 'flood 1', 'flood 2', 'large']);
  await run('later');
  expect(order.at(-1)).toBe('later');
});

test('one step runs for several emails in a row, and the nearly finished ones come first', async () => {
  const { order, run } = noted();
  await Promise.all([
    run('verify 1', { step: 'verify' }),
    run('write 1', { step: 'write' }),
    run('read 1', { step: 'read' }),
    run('verify 2', { step: 'verify' }),
    run('write 2', { step: 'write' }),
    run('read 2', { step: 'read' }),
  ]);
  expect(order).toEqual(['write 1', 'write 2', 'read 1', 'read 2', 'verify 1', 'verify 2']);
});

test('short work shares a slice, and other due work comes after each slice', async () => {
  const { order, run, passTime } = noted();
  const all = [
    run('short 1'),
    run('short 2'),
    run('long 1', { work: passTime }),
    run('long 2', { work: passTime }),
  ];
  await nextTurn();
  expect(order).toEqual(['short 1', 'short 2', 'long 1']);
  await Promise.all(all);
  expect(order).toEqual(['short 1', 'short 2', 'long 1', 'long 2']);
});
