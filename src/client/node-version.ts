/** Tells whether this version of Node.js can run the command. */

/** The oldest version of Node.js on which the command runs. */
const OLDEST = 20;

/** Says that a version of Node.js is too old for the command. Returns null if it is not. */
export const tooOld = (version: string): string | null =>
  Number.parseInt(version, 10) < OLDEST
    ? `deliverability needs Node.js ${OLDEST} or newer, and this is ${version}.\n`
    : null;
