/** What keeps a script from being set up, in a sentence for the person who started it. */
export class SetUpError extends Error {}

/**
 * Prints what is being done, on stderr: stdout belongs to the command.
 *
 * @param {string} sentence
 */
export const log = (sentence) => void process.stderr.write(`set-up: ${sentence}\n`);
