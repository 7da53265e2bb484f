/** Tests how runnable blocks of the documentation are found and filled in. */

import { expect, test } from 'vitest';
import { fillIn, markedBlocks } from './blocks.ts';

const block = (mark: string, language = 'sh') =>
  `# Page\n\n${mark}\n\`\`\`${language}\necho 1\n\`\`\`\n`;

test('a marked block is found with its place and its kind', () => {
  expect(markedBlocks('a.md', block('<!-- run: long -->'))).toEqual([
    { page: 'a.md', line: 3, way: 'long', language: 'sh', code: 'echo 1' },
  ]);
  expect(markedBlocks('a.md', block('Read this:'))).toEqual([]);
});

test.each([
  block('<!-- run: never -->'),
  block('<!-- run -->', 'yaml'),
  block('<!-- run -->\n'),
  '<!-- run -->\n',
])('an unclear mark is refused: %j', (text) => {
  expect(() => markedBlocks('a.md', text)).toThrow('a.md');
});

test('a placeholder is requested by its name, and nothing else is changed', () => {
  const code = 'HTTP=http://127.0.0.1:…  SMTP=… # …\nA=1 curl "$HTTP/…"';
  expect(fillIn(code)).toBe('HTTP=$(given HTTP)  SMTP=$(given SMTP) # …\nA=1 curl "$HTTP/…"');
});
