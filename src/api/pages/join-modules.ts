/**
 * Joins browser modules that are always needed together into one file, because each request takes time on a
 * slow network.
 */

import { dirname, join, relative } from 'node:path/posix';

/** Matches the only form of import that browser modules use: names that are imported unchanged. */
const IMPORT = /^import \{([^}]*)\} from ["'](\.[^"']+)["'];\n/gm;

interface Module {
  /** The names that the module imports, by the module that exports them. */
  readonly imports: ReadonlyMap<string, readonly string[]>;
  readonly code: string;
}

function readModule(name: string, body: string): Module {
  const imports = new Map(
    [...body.matchAll(IMPORT)].map(([, names = '', path = '']) => [
      join(dirname(name), path),
      names.split(',').flatMap((one) => one.trim() || []),
    ]),
  );
  return { imports, code: body.replace(IMPORT, '') };
}

/**
 * Returns the files to serve, by name. A module that is not in `sentWith` is a file of its own. The code is
 * not changed, except that imports between modules of one file are left out, and all other imports are
 * written once, from the file that contains the imported module. Therefore, no two modules in one file may
 * declare the same name.
 *
 * @param modules the text of each module, by name
 * @param sentWith for a module that is part of another file, the name of that file
 */
export function joinModules(
  modules: ReadonlyMap<string, string>,
  sentWith: Readonly<Record<string, string>>,
): ReadonlyMap<string, string> {
  const read = new Map([...modules].map(([name, body]) => [name, readModule(name, body)]));
  const fileOf = (name: string) => sentWith[name] ?? name;
  const files = [...new Set([...read.keys()].map(fileOf))];

  const joined = (file: string) => {
    const outside = new Map<string, Set<string>>();
    const code: string[] = [];
    const seen = new Set<string>();
    /** Adds a module after everything that it imports. */
    const add = (name: string) => {
      const one = read.get(name);
      if (!one || seen.has(name)) return;
      seen.add(name);
      for (const [target, names] of one.imports)
        if (fileOf(target) === file) add(target);
        else {
          const from = fileOf(target);
          outside.set(from, new Set([...(outside.get(from) ?? []), ...names]));
        }
      code.push(one.code);
    };
    for (const name of read.keys()) if (fileOf(name) === file) add(name);
    const head = [...outside].map(([target, names]) => {
      const path = relative(dirname(file), target);
      const from = JSON.stringify(path.startsWith('.') ? path : `./${path}`);
      return `import { ${[...names].join(', ')} } from ${from};\n`;
    });
    return [...head, ...code].join('');
  };
  return new Map(files.map((file) => [file, joined(file)]));
}
