/**
 * @typedef {object} Script
 * @property {string} does what it is for, in one sentence
 * @property {string} file the JavaScript or TypeScript that Node.js runs
 * @property {string[]} [args]
 * @property {string} [options] that it takes; not of those that print their own usage
 * @property {string[]} [nodeOptions]
 * @property {'always' | 'unless NATS_URL'} [nats] when it needs a nats-server
 * @property {true} [ignoresFile] `.env` is for the service, not for this script
 */

/**
 * The scripts of who runs the service. Those for its development are beside the tests.
 *
 * @type {Record<string, Script>}
 */
export const scripts = {
  start: {
    does: 'Starts the service with the settings of the environment and .env.',
    file: 'src/main.ts',
    nats: 'unless NATS_URL',
  },
  doctor: {
    does: 'Checks what the service depends on: DNS, ports, certificate, log, chain, wallet.',
    file: 'src/cli.ts',
    args: ['doctor'],
    nats: 'unless NATS_URL',
  },
  replay: {
    does: 'Reads the event log: tests, states, payments; rebuilds what is derived from it.',
    file: 'src/cli.ts',
    args: ['replay'],
    nats: 'unless NATS_URL',
  },
  streams: {
    does: "Makes the log's streams on NATS_URL and sets their limits, as the operator's user.",
    file: 'src/cli.ts',
    args: ['streams'],
  },
  openapi: {
    does: 'Prints the OpenAPI document.',
    file: 'src/cli.ts',
    args: ['openapi'],
  },
};

/**
 * The usage of one script.
 *
 * @param {string} name
 * @param {Script} script
 */
export const usageOf = (name, { does, options }) =>
  `npm run ${name}${options ? ` -- ${options}` : ''}\n\n${does}`;
