/** Lists the `npm run` scripts for developing the service, and prints the help. */

import { commandsOf, scripts as production } from '../../src/setup/scripts.mjs';
import { long } from './long.mjs';

const lab = 'test/lab/cli.ts';
const biome = 'node_modules/@biomejs/biome/bin/biome';
const biomeCheck = ['check', '--config-path', '.biome.json', '--error-on-warnings'];
const vitest = 'node_modules/vitest/vitest.mjs';

/**
 * The scripts for developing the service.
 *
 * @satisfies {Record<string, import('../../src/setup/scripts.mjs').Script>}
 */
export const development = {
  demo: {
    does: 'Runs a whole test on this machine: mail, analysis, payment, report.',
    file: lab,
    nats: 'unless NATS_URL',
    ignoresFile: true,
  },
  pack: {
    does: 'Builds the package of the command `deliverability` in dist/deliverability.',
    options: '[--release [--repository URL] | --compare [--area AREA] [NODE…]]',
    file: lab,
  },
  dev: {
    does: 'Starts the service and restarts it when a source file changes.',
    file: 'src/main.ts',
    args: [],
    nodeOptions: ['--watch', '--watch-preserve-output'],
    nats: 'unless NATS_URL',
  },
  test: {
    does: 'Runs everything that CI runs, or only the tests that its arguments select.',
    file: 'test/run/test.mjs',
    args: [],
    options: '[--unit | --checks] [FILE…]',
    nats: 'always',
  },
  types: {
    does: 'Checks only the types, in seconds.',
    file: 'test/run/types.mjs',
    args: [],
  },
  'test:watch': {
    does: 'Reruns the tests that need no server whenever a change affects them.',
    file: vitest,
    args: ['-c', 'test/vitest.config.ts', '--project', 'unit'],
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
  generate: {
    does: 'Writes the files that are generated from the code, or prints one of them.',
    unnamed: 'files',
    commands: {
      files: {
        does: 'Writes the API documents, the settings, the diagrams and the sample report into the repository.',
        file: lab,
      },
      openapi: {
        does: 'Prints the OpenAPI document.',
        file: lab,
      },
      sbom: {
        does: 'Prints what runs in production as CycloneDX.',
        file: 'test/run/sbom.mjs',
        args: [],
      },
    },
  },
  bench: {
    does: 'Measures the analysis, the emails and the polls, each against its yardstick.',
    file: lab,
    options: '[analysis | mails | polls | rspamd | pairs | waits]… [--before FOLDER] [--json FILE]',
    nats: 'always',
  },
  lab: {
    does: 'Runs what takes longer than a test: attacks, faults, corpora, public suites.',
    commands: long,
  },
};

/** Every npm script except `help`, which needs nothing. */
export const scripts = { ...production, ...development };

/** Returns the help, with one line per script. Scripts for those who run or use the service come first. */
export function help() {
  const { demo, pack, ...rest } = development;
  const uses = commandsOf({ demo, ...production, pack });
  const changes = Object.entries(rest);
  const width = Math.max(...[...uses, ...changes].map(([name]) => name.length));
  /** @param {[string, { does: string }][]} some */
  const list = (some) => some.map(([name, { does }]) => `  ${name.padEnd(width)}  ${does}`);
  return [
    'npm run NAME, or npm run NAME -- OPTIONS.',
    '',
    'To use or run the service:',
    ...list(uses),
    '',
    'To change it:',
    ...list(changes),
    '',
    loops(),
  ].join('\n');
}

/** Returns the commands to run after a change, the quickest first. */
export const loops = () =>
  [
    'After a change, the quickest first:',
    '  npm run types                  the types, in 10 s',
    '  npm test -- test/analysis/spf  one signal, or any file or folder of tests, without the types, in seconds',
    '  npm test -- --checks           all checks: types, a case for each state and whole emails, in a minute',
    '  npm test -- --unit             everything that needs no server, without the types, in a minute',
    '  npm test                       everything that CI runs, in 6 to 8 minutes on two cores',
    '',
  ].join('\n');
