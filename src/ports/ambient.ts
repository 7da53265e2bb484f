/** Milliseconds since 1970. Handed in, so that tests move it by hand. */
export type Clock = () => number;

/** That many bytes from a CSPRNG. */
export type Random = (bytes: number) => Uint8Array;
