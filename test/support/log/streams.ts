/** Stream settings for tests: the default durations with little disk space. */

import type { StreamSettings } from '../../../src/adapters/nats/streams.ts';

const MIB = 1024 * 1024;

/** The default durations, with little disk space. */
export const streamSettings: StreamSettings = {
  receiveWindowSeconds: 3600,
  retentionSeconds: 86_400,
  testsMaxBytes: 64 * MIB,
  reportsMaxBytes: 64 * MIB,
  paymentsMaxBytes: 64 * MIB,
};
