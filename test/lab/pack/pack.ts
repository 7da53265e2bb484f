/**
 * Runs `npm run pack`, which builds the package of the command and the library, can make the tarball of a
 * release, and can compare the package's findings with those of the service.
 */

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { COMMAND_VERSION } from '../../../src/client/identity.ts';
import { readOptions, UsageError } from '../../../src/config/command-line.ts';
import { npmComponents, toSbom } from '../../run/sbom.mjs';
import { bundle, OLDEST_NODE } from './bundle.ts';
import { declareTypes, TYPES } from './declare.ts';
import { readableAnywhere } from './readme.ts';
import { originUrl, toPage } from './repository.ts';
import { noticesOf, packagesOf } from './third-party.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Cases between two lines of progress. */
const PROGRESS = 50;

/** Where the package is built: a folder that git ignores. */
export const PACKAGE_DIR = join(root, 'dist', 'deliverability');

/** The page that becomes the README. npm shows it without the files around it. */
const README = 'docs/command.md';

const NAME = 'deliverability';
const FILE = 'deliverability.js';
const NOTICES = 'THIRD-PARTY-NOTICES';
const SBOM = 'sbom.cdx.json';
const SCHEMAS = ['report-2.schema.json', 'command-1.schema.json'];

/**
 * Builds the package: the command, the library and its types, with what the law and auditors require.
 * @param page the page of its repository
 */
export async function packCommand(folder = PACKAGE_DIR, page?: string): Promise<string> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'schemas'), { recursive: true });
  const packages = packagesOf(root, await bundle(root, folder));
  declareTypes(root, folder);
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const toJson = (value: object) => `${JSON.stringify(value, null, 2)}\n`;
  write('package.json', toJson(manifest(page)));
  write(NOTICES, noticesOf(root, packages));
  const paths = new Set(packages.map(({ path }) => path));
  write(
    SBOM,
    toJson(
      toSbom(
        NAME,
        COMMAND_VERSION,
        npmComponents((path) => paths.has(path)),
      ),
    ),
  );
  for (const name of SCHEMAS)
    copyFileSync(join(root, 'docs/api', name), join(folder, 'schemas', name));
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  const tree = page && `${page}/blob/v${COMMAND_VERSION}`;
  write('README.md', readableAnywhere(readFileSync(join(root, README), 'utf8'), README, tree));
  chmodSync(join(folder, FILE), 0o755);
  return join(folder, FILE);
}

const KEYWORDS = [
  ...['email', 'deliverability', 'spam', 'spf', 'dkim', 'dmarc', 'arc', 'bimi', 'mta-sts'],
  ...['list-unsubscribe', 'lint', 'smtp', 'mcp', 'x402'],
];

const manifest = (page: string | undefined) => {
  const { license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return {
    name: NAME,
    version: COMMAND_VERSION,
    description:
      'Tests how well your mail is delivered: SPF, DKIM, DMARC and 90 more checks, in a terminal, a pipeline, an agent or your own code.',
    license,
    keywords: KEYWORDS,
    // Links to the project's page and issues. npm's provenance needs the repository.
    ...(page && {
      repository: { type: 'git', url: `git+${page}.git` },
      homepage: `${page}#readme`,
      bugs: `${page}/issues`,
    }),
    type: 'module',
    bin: { [NAME]: FILE },
    exports: {
      '.': { types: `./${TYPES}`, default: './library.js' },
      './schemas/*': './schemas/*',
    },
    engines: { node: `>=${OLDEST_NODE}` },
    files: ['*.js', 'parts', 'types', 'schemas', NOTICES, SBOM],
    publishConfig: { access: 'public', provenance: true },
  };
};

const RELEASE = '.github/actions/deliverability/release.json';

/** Builds the tarball of a release, and writes its hash beside it and where the action looks for it. */
function makeRelease(folder: string): string {
  const args = ['pack', folder, '--pack-destination', join(root, 'dist'), '--silent'];
  execFileSync('npm', args);
  const name = `${NAME}-${COMMAND_VERSION}.tgz`;
  const tarball = join(root, 'dist', name);
  const sha256 = createHash('sha256').update(readFileSync(tarball)).digest('hex');
  writeFileSync(join(root, 'dist', 'SHA256SUMS'), `${sha256}  ${name}\n`);
  const release = { version: COMMAND_VERSION, sha256 };
  writeFileSync(join(root, RELEASE), `${JSON.stringify(release, null, 2)}\n`);
  return tarball;
}

/**
 * Runs `npm run pack [-- --release [--repository URL] | --compare [--area AREA]… NODE…]`. Resolves to 1 if a
 * Node.js finds something in a complete case that the service does not.
 */
export async function runPack(args: readonly string[]): Promise<number> {
  const { values, positionals } = readOptions(
    args,
    {
      release: { type: 'boolean', default: false },
      repository: { type: 'string' },
      compare: { type: 'boolean', default: false },
      area: { type: 'string', multiple: true, default: [] },
    },
    true,
  );
  const page = toPage(values.repository ?? originUrl());
  if (values.release && page === undefined)
    throw new UsageError(
      'A release names its repository: add --repository https://github.com/OWNER/PROJECT, or set the remote `origin` to it. npm asks for it, and the action fetches the release from there.',
    );
  const file = await packCommand(PACKAGE_DIR, page);
  console.log(values.release ? makeRelease(PACKAGE_DIR) : file);
  if (!values.compare) return 0;
  const nodes = positionals.length > 0 ? positionals : [process.execPath];
  const { compareWithService } = await import('./compare.ts');
  let cases = 0;
  const differences = await compareWithService(file, { nodes, areas: values.area }, (found) => {
    for (const one of found) console.log(one);
    if (++cases % PROGRESS === 0) console.error(`${cases} whole cases`);
  });
  console.log(`${cases} whole cases on ${nodes.length} Node.js: ${differences} differences`);
  return differences > 0 ? 1 : 0;
}
