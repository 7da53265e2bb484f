/** Lists the long runs: `npm run lab -- NAME`. */

const file = 'test/lab/cli.ts';

/**
 * The long runs, which `npm run lab -- NAME` starts.
 *
 * @satisfies {Record<string, import('../../src/setup/scripts.mjs').Command>}
 */
export const long = {
  calibrate: {
    does: 'Compares scores and classes with what experts expect for the emails and scenarios in CORPUS_DIR.',
    file,
  },
  cluster: {
    does: 'Starts three nats-servers and three replicas on this machine.',
    file,
    nats: 'always',
  },
  coaching: {
    does: 'Applies the advice given to fraudulent emails, keeps their links, and prints which reach an A.',
    file,
    options: '[--emails DIR]',
  },
  contract: {
    does: 'Checks llms.txt, registries, linters and generated clients against a live service.',
    file,
    nats: 'always',
  },
  edge: {
    does: 'Sends hostile, random and excessive input, and judges cost and responses row by row.',
    file,
    options: '[--seconds N] [--only WORDS] [--seed N]',
    nats: 'always',
  },
  examples: {
    does: 'Runs the code blocks in README and docs that are marked as runnable.',
    file,
    options: '[--short]',
    nats: 'always',
  },
  faults: {
    does: 'Breaks parts of the service while clients use it, and judges the responses they got.',
    file,
    options:
      '[--seconds N] [--room ROOM] [--fault NAME] [--seed N] [--other DIR | --before COMMIT] [--list]',
    nats: 'always',
  },
  fixes: {
    does: 'Applies the actions of fixes to mutated setups, and prints where one does harm.',
    file,
    options: '[--count N] [--seed N]',
  },
  golden: {
    does: 'Compares the reports of two checkouts, byte for byte.',
    file,
    options: 'write FILE | compare FILE | show NAME',
  },
  monotone: {
    does: 'Corrects one thing in each of many seeded emails, and prints where the score falls.',
    file,
    options: '[--count N] [--seed N]',
  },
  mta: {
    does: 'Has Postfix, Exim and nodemailer deliver to the service (needs root on Debian).',
    file,
    options: '[postfix | exim | nodemailer]…',
    nats: 'always',
  },
  pictures: {
    does: 'Retakes the pictures in the README from the current pages.',
    file,
  },
  plant: {
    does: 'Puts faults into the product, one at a time, and says which tests find them.',
    file,
    options: '[WORDS]',
    nats: 'always',
  },
  'slow-page': {
    does: 'Measures what the pages load on a slow network, and fails if a paid report takes over 3 s.',
    file,
    options: '[--runs N]',
  },
  supply: {
    does: 'Fails if anything is fetched that is neither hashed nor signed.',
    file,
    options: '[--images DIGESTS.json]',
  },
};
