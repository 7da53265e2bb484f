/** The default test id and points in time of fixtures. */

/** The test in fixtures, by default. */
export const TEST_ID = 'abcdefgh2345';

/** Time at which that test is created: 2026-11-20T10:00:00.000Z, in milliseconds since 1970. */
export const T0 = Date.UTC(2026, 10, 20, 10);

/** Returns the time this many seconds after `T0`, as in RFC 3339. */
export const instant = (seconds: number) => new Date(T0 + seconds * 1000).toISOString();
