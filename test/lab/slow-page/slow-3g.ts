/**
 * Slow 3G as WebPageTest defines it: 400 kbit/s each way, and a round trip of 400 ms. Chromium delays each
 * response by that time, but not the setup of connections. In bytes per second and milliseconds.
 */
export const SLOW_3G = {
  offline: false,
  latency: 400,
  downloadThroughput: 50_000,
  uploadThroughput: 50_000,
};
