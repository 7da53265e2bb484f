/**
 * Stops the creation of tests before the log becomes too full for those that exist, and limits how many tests
 * are created per minute, with a share for each network.
 */

import type { StreamSize } from '../adapters/nats/stream-identity.ts';
import type { ApiOptions } from '../api/options.ts';
import { networksOf } from '../domain/fairness/networks.ts';
import { createRates } from '../domain/fairness/rates.ts';
import type { StatusName } from '../projection/row.ts';

/** Number of bytes that an open test may still append: its refusals, its attempts and its end. */
const OPEN_TEST_BYTES = 2048;
const ENDED_TEST_BYTES = 512;

/** Number of bytes that one creation appends. */
const CREATION_BYTES = 512;

/** Share of a stream that the creation of tests never uses. */
const SPARE = 0.05;

/** Pause between two readings of the log's size, in milliseconds. Counting all tests takes time. */
const REFRESH_MS = 5000;

const MINUTE_MS = 60_000;

interface Ports {
  readonly sizes: () => readonly StreamSize[];
  readonly population: () => Readonly<Record<StatusName, number>>;
  readonly clock: () => number;
  /** Returns milliseconds of a clock that never goes back. */
  readonly monotonic: () => number;
}

interface Settings {
  /** Tests that all clients together may create per minute; 0 means no limit. */
  readonly perMinute: number;
  /** Time from the creation of an unused test to its deletion, in milliseconds. */
  readonly retentionMs: number;
}

/**
 * Reserves room in the log for the tests that exist: creation stops before one of them could no longer accept
 * its email. Networks share the number of tests that all clients together may create per minute.
 */
export function createCreationGate(
  ports: Ports,
  { perMinute, retentionMs }: Settings,
): ApiOptions['creation'] {
  const { sizes, population, clock, monotonic } = ports;
  let known = { at: Number.NEGATIVE_INFINITY, room: 1, freesAt: 0, maxBytes: 1 };
  let created = 0;
  const rates = createRates({
    windowMs: MINUTE_MS,
    capacity: perMinute || Number.POSITIVE_INFINITY,
  });

  /**
   * Returns the share of the log that is neither used nor reserved, from 0 to 1, for the stream that has the
   * least left.
   */
  function measure() {
    const all = sizes();
    const { waiting, processing, ...ended } = population();
    const open = (waiting + processing) * OPEN_TEST_BYTES;
    const rest = Object.values(ended).reduce((sum, count) => sum + count, 0) * ENDED_TEST_BYTES;
    const roomOf = ({ stream, bytes, maxBytes }: StreamSize) =>
      maxBytes <= 0 ? 1 : 1 - SPARE - (bytes + (stream === 'TESTS' ? open + rest : 0)) / maxBytes;
    const tests = all.find(({ stream }) => stream === 'TESTS');
    return {
      at: monotonic(),
      room: Math.max(0, Math.min(1, ...all.map(roomOf))),
      freesAt: (tests?.firstAt ?? clock()) + retentionMs,
      maxBytes: tests?.maxBytes ?? 0,
    };
  }

  function room(): number {
    if (monotonic() - known.at >= REFRESH_MS) {
      known = measure();
      created = 0;
    }
    const since =
      known.maxBytes > 0 ? (created * (CREATION_BYTES + OPEN_TEST_BYTES)) / known.maxBytes : 0;
    return Math.max(0, known.room - since);
  }

  return {
    room,
    admit(ip) {
      if (room() <= 0) {
        const seconds = Math.ceil((known.freesAt - clock()) / 1000);
        return { because: 'room', retryAfter: Math.max(REFRESH_MS / 1000, seconds) };
      }
      const path = networksOf(ip);
      const now = monotonic();
      if (!rates.take(path, now))
        return { because: 'rate', retryAfter: Math.ceil(rates.remainingMs(path, now) / 1000) };
      created += 1;
      return null;
    },
  };
}
