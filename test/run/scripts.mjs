import { scripts as production } from '../../src/setup/scripts.mjs';

const tools = 'test/tools/cli.ts';
const biome = 'node_modules/@biomejs/biome/bin/biome';
const biomeCheck = ['check', '--config-path', '.biome.json', '--error-on-warnings'];
const vitest = 'node_modules/vitest/vitest.mjs';
const unitTests = ['-c', 'test/vitest.config.ts', '--project', 'unit'];

/**
 * The scripts for developing the service.
 *
 * @type {Record<string, import('../../src/setup/scripts.mjs').Script>}
 */
export const development = {
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
  abuse: {
    does: 'Attacks a service of its own and measures how honest senders fare.',
    file: tools,
    args: ['abuse'],
    options: '[--seconds N] [--only NAME]',
    nats: 'always',
  },
  contract: {
    does: 'Holds live answers and generated clients to the OpenAPI document.',
    file: tools,
    args: ['contract'],
    options: '[--mails N] [--calls N]',
    nats: 'always',
  },
  bench: {
    does: 'Measures the analysis, the mails and the log, or one of them, or the payments.',
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
  classify: {
    does: 'Says how well the kinds of the labelled mails of CORPUS_DIR are known.',
    file: tools,
    args: ['classify'],
    ignoresFile: true,
  },
  calibrate: {
    does: 'Compares scores with what experts expect of the mails and scenarios of CORPUS_DIR.',
    file: tools,
    args: ['calibrate'],
    ignoresFile: true,
  },
  conformance: {
    does: 'Runs the public test suites for SPF, DKIM, DMARC and ARC.',
    file: tools,
    args: ['conformance'],
  },
  examples: {
    does: 'Runs the blocks of README and docs that are marked as runnable.',
    file: tools,
    args: ['examples'],
    options: '[--short]',
    nats: 'always',
  },
  fixes: {
    does: 'Applies the actions of fixes to mutated set-ups and prints where one does harm.',
    file: tools,
    args: ['fixes'],
    options: '[--count N] [--seed N]',
  },
  fuzz: {
    does: 'Reads random mails, or plays random SMTP sessions, and prints what broke.',
    file: tools,
    args: ['fuzz'],
    options: '[smtp] [--seconds N] [--count N] [--seed N]',
  },
  golden: {
    does: 'Compares the reports of two checkouts, byte for byte.',
    file: tools,
    args: ['golden'],
    options: 'write FILE | compare FILE | show NAME',
    ignoresFile: true,
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
  pack: {
    does: 'Makes the package of the command `deliverability` in dist/deliverability.',
    options: '[--compare [--area AREA] [NODE…]]',
    file: tools,
    args: ['pack'],
    ignoresFile: true,
  },
  rehearse: {
    does: 'Plays an upgrade, a lost node, a full disk and more on a cluster that is in use.',
    file: tools,
    args: ['rehearse'],
    nats: 'always',
  },
  sbom: {
    does: 'Prints what runs in production as CycloneDX.',
    file: 'test/run/sbom.mjs',
    ignoresFile: true,
  },
  supply: {
    does: 'Fails when something is fetched that is neither hashed nor signed.',
    file: tools,
    args: ['supply'],
    options: '[--images DIGESTS.json] [--tree]',
    ignoresFile: true,
  },
  screens: {
    does: 'Takes a picture of every page and state in Chromium, and names what does not fit.',
    file: tools,
    args: ['screens'],
    options: '[--out FOLDER] [--only PATTERN] [--widths N,N] [--schemes S,S]',
    ignoresFile: true,
  },
  settings: {
    does: 'Writes .env.example, docs/settings.md and docker-compose.yml from the settings.',
    file: tools,
    args: ['settings'],
  },
  soak: {
    does: 'Runs replicas for hours while they are killed, cut off and misled about time.',
    file: tools,
    args: ['soak'],
    nats: 'always',
  },
};

/** Every npm script but `help`, which needs nothing. */
export const scripts = { ...production, ...development };

/** A line a script. */
export function help() {
  const width = Math.max(...Object.keys(scripts).map((name) => name.length));
  const lines = Object.entries(scripts).map(
    ([name, { does }]) => `  ${name.padEnd(width)}  ${does}`,
  );
  return ['npm run NAME, or npm run NAME -- OPTIONS:', '', ...lines, ''].join('\n');
}
