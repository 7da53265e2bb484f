/** Tests that the first comment of every source file says what the file is for. */

import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Comments for tools, which say nothing about the file. */
const FOR_TOOLS =
  /^#!.*\n|^\/\*\*\s(?:\*\s|\s)*@(?:import|typedef)[\s\S]*?\*\/\n|^\/\/ (?:biome-ignore|@ts-).*\n/gm;

const COMMENT = /^[ \t]*(?:\/\*[\s\S]*?\*\/|(?:\/\/.*\n[ \t]*)*\/\/.*)\n?/m;

/** Returns whether the first comment is about the file as a whole, or directly above an export. */
function isIntroduced(text: string): boolean {
  const code = text.replace(FOR_TOOLS, '').trimStart();
  const [comment] = COMMENT.exec(code) ?? [];
  if (comment === undefined) return false;
  const at = code.indexOf(comment);
  const after = code.slice(at + comment.length);
  if (after.startsWith('export')) return !/^[ \t]/.test(comment);
  return at === 0 && /^(?:\n|import\b|\/\/|\/\*)/.test(after);
}

test('the first comment of every file says what the file is for', () => {
  const files = globSync('{src,machines}/**/*.{ts,mjs}');
  expect(files.length).toBeGreaterThan(600);
  const bare = files.filter((path) => !isIntroduced(readFileSync(path, 'utf8')));
  expect(bare).toEqual([]);
});

const IMPORT = "import './x.ts';\n";

test.each([
  ['nothing', `${IMPORT}\nexport const a = 1;\n`, false],
  ['a private constant', `${IMPORT}\n/** A limit. */\nconst a = 1;\nexport const b = a;\n`, false],
  ['the first constant', '/** A limit. */\nconst a = 1;\n\nexport const b = a;\n', false],
  ['a member', 'export interface A {\n  /** A name. */\n  readonly b: string;\n}\n', false],
  ['a rule', '// biome-ignore lint/x: y\nexport const a = 1;\n', false],
  ['a type', `/**\n * @import { A } from './a.ts'\n */\n${IMPORT}const b = 1;\n`, false],
  ['the file', `/** Reads a file. */\n\n${IMPORT}`, true],
  ['the file, in lines', `// Reads a file\n// as it is.\n\n${IMPORT}`, true],
  [
    'the file and a type',
    `/**\n * Reads.\n *\n * @import { A } from './a.ts'\n */\n${IMPORT}`,
    true,
  ],
  ['a script', `#!/usr/bin/env node\n/** Runs it. */\n\n${IMPORT}`, true],
  ['an export', `${IMPORT}\n/**\n * Reads.\n */\nexport function a() {}\n`, true],
])('a first comment about %s is judged correctly', (_, text, expected) => {
  expect(isIntroduced(text)).toBe(expected);
});
