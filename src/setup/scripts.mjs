/**
 * Lists the `npm run` scripts for anyone who runs the service, and writes their usage texts;
 * `test/run/scripts.mjs` lists the others.
 */

/**
 * @typedef {object} Command
 * @property {string} does the purpose of the command, in one sentence
 * @property {string} file the JavaScript or TypeScript file that Node.js runs
 * @property {string[]} [args] the arguments for the file; by default the name of the command
 * @property {string} [options] the options that the command accepts; absent if it prints its own usage
 * @property {string[]} [nodeOptions]
 * @property {'always' | 'unless NATS_URL'} [nats] when the command needs a nats-server
 * @property {true} [ignoresFile] true if `.env` is for the service and not for this command
 *
 * @typedef {object} Group several commands under one script: `npm run SCRIPT -- NAME`
 * @property {string} does
 * @property {Record<string, Command>} commands
 * @property {string} [unnamed] the command that runs if none is named
 *
 * @typedef {Command | Group} Script
 */

const file = 'src/operator.ts';

/**
 * The scripts for anyone who runs the service.
 *
 * @type {{ start: Command, operate: Group }}
 */
export const scripts = {
  start: {
    does: 'Starts the service with the settings from the environment and .env.',
    file: 'src/main.ts',
    args: [],
    nats: 'unless NATS_URL',
  },
  operate: {
    does: 'Runs a command for the operator of the service.',
    commands: {
      doctor: {
        does: 'Checks what the service depends on: DNS, port 25, certificate, log, chain, wallet.',
        file,
        nats: 'unless NATS_URL',
      },
      replay: {
        does: 'Reads, verifies, backs up and restores the event log, and ends damaged histories.',
        file,
        nats: 'unless NATS_URL',
      },
      streams: {
        does: "Creates the log's streams on NATS_URL and sets their limits, as the operator's user.",
        file,
        options: '[--final]',
        nats: 'unless NATS_URL',
      },
    },
  },
};

/**
 * Lists every command, each with the words that follow `npm run`.
 *
 * @param {Record<string, Script>} all
 * @returns {[call: string, command: Command][]}
 */
export const commandsOf = (all) =>
  Object.entries(all).flatMap(([name, script]) => {
    if (!('commands' in script)) return [[name, script]];
    const named = Object.entries(script.commands);
    return named.map(([one, command]) => /** @type {const} */ ([`${name} -- ${one}`, command]));
  });

/**
 * Returns the usage of a group: the purpose of each of its commands, one per line.
 *
 * @param {string} name
 * @param {Group} group
 */
export function usageOfGroup(name, { does, commands, unnamed }) {
  const width = Math.max(...Object.keys(commands).map((command) => command.length));
  const lines = Object.entries(commands).map(
    ([command, script]) => `  ${command.padEnd(width)}  ${script.does}`,
  );
  const head = `npm run ${name} -- ${unnamed ? '[NAME]' : 'NAME'} [OPTIONS]`;
  return [head, '', `${does} NAME is one of:`, '', ...lines, ''].join('\n');
}

/**
 * Returns the usage of each command, keyed by the name that the command's file uses for it.
 *
 * @param {Record<string, Script>} all
 * @returns {Record<string, string>}
 */
export const usagesOf = (all) =>
  Object.fromEntries(
    commandsOf(all).map(([call, { does, options }]) => {
      const given = options && `${call.includes(' -- ') ? '' : ' --'} ${options}`;
      return [call.split(' -- ').at(-1), `npm run ${call}${given ?? ''}\n\n${does}`];
    }),
  );
