/** Tests how browser modules are joined, and that every file that pages load is a complete module. */

import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path/posix';
import { expect, test } from 'vitest';
import { assets } from '../../../src/api/pages/assets.ts';
import { joinModules } from '../../../src/api/pages/join-modules.ts';

const modules = new Map([
  [
    'a/one.mjs',
    "import { two } from './two.mjs';\nimport { far } from '../b/far.mjs';\nexport const one = two + far;\n",
  ],
  [
    'a/two.mjs',
    "import {\n  far,\n  other,\n} from '../b/far.mjs';\nexport const two = far + other;\n",
  ],
  [
    'b/far.mjs',
    "import { deep } from './deep.mjs';\nexport const far = deep;\nexport const other = 1;\n",
  ],
  ['b/deep.mjs', 'export const deep = 1;\n'],
]);

test('imported modules come first, and each name from elsewhere is imported once, from its file', () => {
  const files = joinModules(modules, { 'a/two.mjs': 'a/one.mjs', 'b/far.mjs': 'b/deep.mjs' });
  expect([...files.keys()].sort()).toEqual(['a/one.mjs', 'b/deep.mjs']);
  expect(files.get('a/one.mjs')).toBe(
    'import { far, other } from "../b/deep.mjs";\nexport const two = far + other;\nexport const one = two + far;\n',
  );
  expect(files.get('b/deep.mjs')).toBe(
    'export const deep = 1;\nexport const far = deep;\nexport const other = 1;\n',
  );
});

test('modules that are sent alone are unchanged', () => {
  expect(joinModules(modules, {}).get('b/far.mjs')).toBe(
    modules.get('b/far.mjs')?.replaceAll("'", '"'),
  );
});

const scripts = [...assets].filter(([name]) => name.endsWith('.mjs'));

test.each(scripts)('%s is a module, and no name in it is declared twice', (_name, { body }) => {
  const args = ['--input-type=module', '--check', '-'];
  const { status, stderr } = spawnSync(process.execPath, args, { input: body, encoding: 'utf8' });
  expect(status, stderr).toBe(0);
});

const IMPORTS = /^import \{([^}]*)\} from ["']([^"']+)["'];$/gm;

test.each(scripts)(
  'every name that %s imports is exported by a file that is served',
  (name, { body }) => {
    for (const [, names = '', path = ''] of body.matchAll(IMPORTS)) {
      const target = assets.get(join(dirname(name), path))?.body ?? '';
      for (const one of names.split(',').map((text) => text.trim()))
        expect(target, `${one} of ${path}`).toMatch(
          new RegExp(`^export (?:async )?(?:const|let|class|function) ${one}\\b`, 'm'),
        );
    }
    expect(body.replace(IMPORTS, '')).not.toMatch(/^import /m);
  },
);
