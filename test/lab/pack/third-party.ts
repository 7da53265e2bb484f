/** Lists the third-party packages in the bundle, with their licences. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A package that is in the bundle. */
export interface Bundled {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  /** From the root: `node_modules/…`, including packages inside others. */
  readonly path: string;
}

/** Returns the packages to which these files belong, by name. */
export function packagesOf(root: string, files: readonly string[]): readonly Bundled[] {
  const paths = files.flatMap(
    (file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? [],
  );
  return [...new Set(paths)]
    .map((path) => {
      const manifest = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'));
      const { name, version, license } = manifest as Omit<Bundled, 'path'>;
      return { name, version, license, path };
    })
    .sort((a, b) => a.name.localeCompare(b.name));
}

const LEGAL = /^(?:licen[cs]e|copying|notice)/i;

/** Returns licences and notices as their authors wrote them. @throws if a package has none */
export function noticesOf(root: string, packages: readonly Bundled[]): string {
  const parts = packages.map(({ name, version, license, path }) => {
    const folder = join(root, path);
    const files = readdirSync(folder)
      .filter((file) => LEGAL.test(file))
      .sort();
    if (files.length === 0) throw new Error(`${name} ${version} has no file with its licence`);
    const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
    return [`${name} ${version} (${license})`, ...texts].join('\n\n');
  });
  const line = `\n\n${'-'.repeat(80)}\n\n`;
  return `${['This package contains code from these packages.', ...parts].join(line)}\n`;
}
