/** Tests when a supervised nats-server is considered faulty, and whether it is restarted. */

import { expect, test } from 'vitest';
import {
  decide,
  faultOf,
  ROOM_BYTES,
  type ServerFacts,
} from '../../../src/adapters/embedded-nats/supervisor.ts';

const well: ServerFacts = {
  running: true,
  storeFailed: false,
  silentMs: 0,
  freeBytes: ROOM_BYTES,
  attempts: 0,
  sinceStartMs: 0,
};

const ended = { running: false } as const;
const stuck = { storeFailed: true } as const;

test.each<[string, Partial<ServerFacts>, string | undefined]>([
  ['one that runs and answers', {}, undefined],
  ['one that was silent for less than 30 s', { silentMs: 29_999 }, undefined],
  ['one that was silent for 30 s', { silentMs: 30_000 }, 'silent'],
  ['one that could not write', stuck, 'store_failed'],
  ['one that is gone', ended, 'ended'],
  ['one that could not write and is gone', { ...stuck, ...ended, silentMs: 60_000 }, 'ended'],
])('the fault of %s: %j is %s', (_, facts, fault) => {
  expect(faultOf({ ...well, ...facts })).toBe(fault);
});

test.each<[string, Partial<ServerFacts>, 'restart' | 'wait']>([
  ['it is well', {}, 'wait'],
  ['it is well and the disk is full', { freeBytes: 0 }, 'wait'],
  ['it could not write, and there is room', stuck, 'restart'],
  [
    'it could not write, and there is one byte too little',
    { ...stuck, freeBytes: ROOM_BYTES - 1 },
    'wait',
  ],
  ['it is gone', ended, 'restart'],
  ['it is gone and the disk is full', { ...ended, freeBytes: 0 }, 'wait'],
  ['it is silent', { silentMs: 30_000 }, 'restart'],
  ['it is silent and the disk is full', { silentMs: 30_000, freeBytes: 0 }, 'wait'],
  ['the second start follows too soon', { ...ended, attempts: 1, sinceStartMs: 999 }, 'wait'],
  ['the second start is due', { ...ended, attempts: 1, sinceStartMs: 1000 }, 'restart'],
  ['the fourth start follows too soon', { ...stuck, attempts: 3, sinceStartMs: 3999 }, 'wait'],
  ['the fourth start is due', { ...stuck, attempts: 3, sinceStartMs: 4000 }, 'restart'],
  [
    'the hundredth start follows too soon',
    { ...ended, attempts: 99, sinceStartMs: 59_999 },
    'wait',
  ],
  ['the hundredth start is due', { ...ended, attempts: 99, sinceStartMs: 60_000 }, 'restart'],
])('%s: %j: %s', (_, facts, decision) => {
  expect(decide({ ...well, ...facts })).toBe(decision);
});
