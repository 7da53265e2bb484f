/** Tests how chain nodes that stand still or disagree are detected. */

import { expect, test } from 'vitest';
import type { NodeLook } from '../../src/domain/node-needs.ts';
import { watchNodes } from '../../src/service/nodes.ts';

const network = 'eip155:8453';

/** Creates nodes that follow one chain with a block every 2 s, and one clock for all. */
function aWorld(count: number) {
  let seconds = 100_000;
  const nodes = Array.from({ length: count }, () => {
    const script = {
      change: {} as Partial<NodeLook>,
      isAway: false,
      hash: (block: number) => `0x${block}`,
      look: async (): Promise<NodeLook> => {
        if (script.isAway) throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
        const good = { network, head: seconds / 2, time: seconds, range: 900, hasHistory: true };
        return { ...good, ...script.change };
      },
      hashAt: async (block: number) => script.hash(block),
    };
    return script;
  });
  const fault = watchNodes({
    nodes,
    network,
    clock: () => seconds * 1000,
    monotonic: () => seconds * 1000,
  });
  const advance = (by: number) => {
    seconds += by;
  };
  return { nodes, fault, advance };
}

test('nodes that follow the chain lack nothing', async () => {
  const { fault, advance } = aWorld(2);
  for (let look = 0; look < 10; look += 1) {
    expect(await fault()).toBeUndefined();
    advance(10);
  }
});

test.each([0, 1])('the node %i that stands still is detected after 30 s', async (index) => {
  const { nodes, fault, advance } = aWorld(2);
  expect(await fault()).toBeUndefined();
  // The time of the node's block advances, but its number does not.
  const { head } = (await nodes[index]?.look()) ?? { head: 0 };
  Object.assign(nodes[index]?.change ?? {}, { head });
  for (const _ of [10, 20, 30]) {
    advance(10);
    expect((await fault())?.need).toBeUndefined();
  }
  advance(2);
  const setting = index === 0 ? 'X402_RPC_URL' : 'X402_SECOND_RPC_URL';
  expect(await fault()).toEqual({
    need: 'fresh_head',
    reason: `The ${setting} node has shown no new block for 32 s; the limit is 30 s.`,
  });
  Object.assign(nodes[index] ?? {}, { change: {} });
  expect(await fault()).toBeUndefined();
});

test.each<[string, string, (node: ReturnType<typeof aWorld>['nodes'][number]) => unknown]>([
  ['is away', 'answer', (node) => Object.assign(node, { isAway: true })],
  [
    'is of another chain',
    'network',
    ({ change }) => Object.assign(change, { network: 'eip155:1' }),
  ],
  ['grants too few blocks', 'log_range', ({ change }) => Object.assign(change, { range: 179 })],
  ['forgets', 'history', ({ change }) => Object.assign(change, { hasHistory: false })],
  ['is behind', 'fresh_head', ({ change }) => Object.assign(change, { time: 99_939 })],
  ['is ahead of the other', 'agreement', ({ change }) => Object.assign(change, { head: 50_031 })],
  ['follows a fork', 'agreement', (node) => Object.assign(node, { hash: () => '0xf0' })],
])('of two nodes one that %s lacks: %s', async (_, need, hurt) => {
  for (const index of [0, 1]) {
    const { nodes, fault } = aWorld(2);
    const node = nodes[index];
    if (node) hurt(node);
    expect((await fault())?.need).toBe(need);
  }
});

test('a lone node agrees with itself, and the message names it', async () => {
  const { nodes, fault } = aWorld(1);
  Object.assign(nodes[0] ?? {}, { hash: () => '0xf0' });
  expect(await fault()).toBeUndefined();
  Object.assign(nodes[0] ?? {}, { isAway: true });
  expect((await fault())?.reason).toBe('The X402_RPC_URL node does not respond (ECONNREFUSED).');
});
