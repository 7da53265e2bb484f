/**
 * Milliseconds since 1970, by the clock that all replicas share. It may be set, and so jump:
 * durations are measured by `performance.now()`. Handed in, so that tests move it by hand.
 */
export type Clock = () => number;

/** That many bytes from a CSPRNG. */
export type Random = (bytes: number) => Uint8Array;
