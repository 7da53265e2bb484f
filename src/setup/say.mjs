/** What keeps a script from being set up, in a sentence for the person who started it. */
export class SetUpError extends Error {}

/**
 * Tells what is being done. On stderr: stdout belongs to the command.
 *
 * @param {string} sentence
 */
export const say = (sentence) => void process.stderr.write(`set-up: ${sentence}\n`);
