/** Declares the ports through which the current time and secure random bytes are read. */

/**
 * Returns milliseconds since 1970, by the clock that all replicas share. The clock may be set and then jump,
 * so durations are measured with `performance.now()`. It is passed in, so that tests can move it by hand.
 */
export type Clock = () => number;

/** Returns this many bytes from a cryptographically secure random generator. */
export type Random = (bytes: number) => Uint8Array;
