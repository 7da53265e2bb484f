/**
 * Checks the lock file, workflows and images for what is fetched without a hash, and for packages
 * that may not be shipped.
 */

/** A package of the lock file. */
interface LockEntry {
  readonly version?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly dev?: boolean;
}

/** Licences under which code may be shipped beside our own under Apache-2.0, by SPDX name. */
const LICENCES = new Set([
  'MIT',
  'MIT-0',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  '0BSD',
  'Unlicense',
  'MPL-2.0',
  'CC0-1.0',
  'BlueOak-1.0.0',
]);

/** If several are offered, one is enough. */
const isAllowed = (licence: string) =>
  licence
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((one) => LICENCES.has(one));

const isGlibc = () =>
  'glibcVersionRuntime' in (process.report.getReport() as { readonly header: object }).header;

const here = ({ os, cpu, libc }: LockEntry) =>
  (!os || os.includes(process.platform)) &&
  (!cpu || cpu.includes(process.arch)) &&
  (!libc || libc.includes(isGlibc() ? 'glibc' : 'musl'));

/**
 * Returns what is fetched without a hash, or may not be shipped, one line each.
 * @param packages of `package-lock.json`, by path
 */
export function checkLock(packages: Readonly<Record<string, LockEntry>>) {
  const faults: string[] = [];
  let unhashedElsewhere = 0;
  for (const [path, entry] of Object.entries(packages)) {
    if (path === '') continue;
    const name = `${path.split('node_modules/').at(-1)}@${entry.version}`;
    if (!/^sha(512|384|256)-/.test(entry.integrity ?? ''))
      if (here(entry)) faults.push(`package-lock.json: ${name} has no hash`);
      else unhashedElsewhere++;
    if (!entry.dev && here(entry) && !isAllowed(entry.license ?? ''))
      faults.push(`package-lock.json: ${name} has the licence ${entry.license ?? '(missing)'}`);
  }
  return { faults, unhashedElsewhere };
}

/** A workflow may run whatever its author publishes today, so each action is named by its commit. */
export const checkWorkflow = (file: string, text: string): readonly string[] =>
  [...text.matchAll(/^\s*-?\s*uses:\s*([^\s#]+)/gm)]
    .map(([, action = '']) => action)
    .filter((action) => !action.startsWith('./') && !/@[0-9a-f]{40}$/.test(action))
    .map((action) => `${file}: ${action} is not named by a commit`);

/** The release resolves images to digests, because a tag alone does not say what is fetched. */
export function checkImages(
  file: string,
  text: string,
  digests: Readonly<Record<string, string>>,
): readonly string[] {
  const images = [...text.matchAll(/^\s*(?:image:|FROM)\s+([\w./-]+:[\w.-]+)/gm)];
  return images
    .map(([, image = '']) => image)
    .filter((image) => !/^sha256:[0-9a-f]{64}$/.test(digests[image] ?? ''))
    .map((image) => `${file}: ${image} has no digest`);
}
