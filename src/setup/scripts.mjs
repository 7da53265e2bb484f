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

const [cli, tools] = ['src/cli.ts', 'test/tools/cli.ts'];
const biome = 'node_modules/@biomejs/biome/bin/biome';
const biomeCheck = ['check', '--config-path', '.biome.json', '--error-on-warnings'];
const vitest = 'node_modules/vitest/vitest.mjs';
const unitTests = ['-c', 'test/vitest.config.ts', '--project', 'unit'];

/**
 * Every npm script but `help`, which needs nothing.
 *
 * @type {Record<string, Script>}
 */
export const scripts = {
  start: {
    does: 'Starts the service with the settings of the environment and .env.',
    file: 'src/main.ts',
    nats: 'unless NATS_URL',
  },
  dev: {
    does: 'Starts the service and restarts it when a source file changes.',
    file: 'src/main.ts',
    nodeOptions: ['--watch', '--watch-preserve-output'],
    nats: 'unless NATS_URL',
  },
  demo: {
    does: 'Runs a whole test on this machine: mail, analysis, payment, report.',
    file: tools,
    args: ['demo'],
    nats: 'unless NATS_URL',
    ignoresFile: true,
  },
  doctor: {
    does: 'Checks what the service depends on: DNS, ports, certificate, log, chain, wallet.',
    file: cli,
    args: ['doctor'],
    nats: 'unless NATS_URL',
  },
  replay: {
    does: 'Reads the event log: tests, states, payments; rebuilds what is derived from it.',
    file: cli,
    args: ['replay'],
    nats: 'unless NATS_URL',
  },
  openapi: {
    does: 'Prints the OpenAPI document.',
    file: cli,
    args: ['openapi'],
  },
  test: {
    does: 'Runs everything that CI runs; with arguments, only the tests that they select.',
    file: 'test/run/test.mjs',
    nats: 'always',
  },
  'test:unit': {
    does: 'Runs the tests that need no server, in seconds.',
    file: vitest,
    args: ['run', ...unitTests],
  },
  'test:watch': {
    does: 'Runs those of test:unit again that a change touches, until you stop it.',
    file: vitest,
    args: unitTests,
  },
  lint: {
    does: 'Checks format and style, as CI does.',
    file: biome,
    args: biomeCheck,
  },
  fix: {
    does: 'Formats every file and fixes what lint can fix safely.',
    file: biome,
    args: [...biomeCheck, '--write'],
  },
  'new-check': {
    does: 'Writes the skeleton of a new check and its tests (docs/CONTRIBUTING.md).',
    file: tools,
    args: ['new-check'],
    options: 'ID [--signal FOLDER]',
  },
  bench: {
    does: 'Measures the analysis, the mails or the log against a yardstick.',
    file: tools,
    args: ['bench'],
    nats: 'always',
  },
  cluster: {
    does: 'Starts three nats-servers and three replicas on this machine.',
    file: tools,
    args: ['cluster'],
    nats: 'always',
  },
  conformance: {
    does: 'Runs the public test suites for SPF, DKIM, DMARC and ARC.',
    file: tools,
    args: ['conformance'],
  },
  fuzz: {
    does: 'Reads random mails, or plays random SMTP sessions, and prints what broke.',
    file: tools,
    args: ['fuzz'],
    options: '[smtp] [--seconds N] [--count N] [--seed N]',
  },
  hostile: {
    does: 'Measures what mails made to be expensive cost.',
    file: tools,
    args: ['hostile'],
    options: '[--service]',
    nats: 'always',
  },
  machines: {
    does: 'Writes the state machines as JSON and diagrams into docs/machines.',
    file: tools,
    args: ['machines'],
  },
  mta: {
    does: 'Lets Postfix, Exim, OpenSMTPD and clients deliver to the service (root, Debian).',
    file: tools,
    args: ['mta'],
    nats: 'always',
  },
  soak: {
    does: 'Runs replicas for hours while they are killed, cut off and misled about time.',
    file: tools,
    args: ['soak'],
    nats: 'always',
  },
};

/**
 * The usage of one script.
 *
 * @param {string} name
 */
export function usageOf(name) {
  const { does = '', options } = scripts[name] ?? {};
  return `npm run ${name}${options ? ` -- ${options}` : ''}\n\n${does}`;
}

/** A line a script. */
export function help() {
  const width = Math.max(...Object.keys(scripts).map((name) => name.length));
  const lines = Object.entries(scripts).map(
    ([name, { does }]) => `  ${name.padEnd(width)}  ${does}`,
  );
  return ['npm run NAME, or npm run NAME -- OPTIONS:', '', ...lines, ''].join('\n');
}
