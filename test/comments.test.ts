import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Comments for tools: they say nothing about the file. */
const FOR_TOOLS = /^#!.*\n|^\/\*\* @import[\s\S]*?\*\/\n|^\/\/ (?:biome-ignore|@ts-).*\n/gm;

const COMMENT = /^[ \t]*(?:\/\*[\s\S]*?\*\/|(?:\/\/.*\n[ \t]*)*\/\/.*)\s*/m;

/** Returns whether a file begins with a comment, or the first one is directly above an export. */
function isIntroduced(text: string): boolean {
  const code = text.replace(FOR_TOOLS, '').trimStart();
  const [comment] = COMMENT.exec(code) ?? [];
  if (comment === undefined) return false;
  const at = code.indexOf(comment);
  return at === 0 || (!/^[ \t]/.test(comment) && code.startsWith('export', at + comment.length));
}

test('the first comment of every file says what the file is for', () => {
  const files = globSync('{src,machines}/**/*.{ts,mjs}');
  expect(files.length).toBeGreaterThan(600);
  const bare = files.filter((path) => !isIntroduced(readFileSync(path, 'utf8')));
  expect(bare).toEqual([]);
});

test.each([
  ['no comment', "import './x.ts';\n\nexport const a = 1;\n", false],
  [
    'a private constant',
    "import './x.ts';\n\n/** A limit. */\nconst a = 1;\nexport const b = a;\n",
    false,
  ],
  ['a member', 'export interface A {\n  /** A name. */\n  readonly b: string;\n}\n', false],
  ['a tool', '// biome-ignore lint/x: y\nexport const a = 1;\n', false],
  ['the file', "/** Reads a file. */\n\nimport './x.ts';\n", true],
  ['the file, in lines', "// Reads a file\n// whole.\nimport './x.ts';\n", true],
  ['a script', "#!/usr/bin/env node\n/** Runs it. */\n\nimport './x.ts';\n", true],
  ['its export', "import './x.ts';\n\n/**\n * Reads.\n */\nexport function a() {}\n", true],
])('a first comment on %s is judged', (_, text, expected) => {
  expect(isIntroduced(text)).toBe(expected);
});
