/** Tests that docs/operations.md describes every operation that is played, step by step. */

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { operations } from './operations.ts';

const page = readFileSync('docs/operations.md', 'utf8');
const [, section = ''] = page.split('\n## Rehearsals\n');
const [chapter = ''] = section.split(/^## /m);
const parts = chapter
  .split(/^### /m)
  .slice(1)
  .map((text): [string, string] => [text.split('\n', 1)[0] ?? '', text]);

test('the page describes every rehearsal, in the order of the command', () => {
  expect(parts.map(([name]) => name)).toEqual(Object.keys(operations));
});

test.each(parts)('%s has the steps that are played, in their order', (name, text) => {
  const items = text.split(/^\d+\. /m).slice(1);
  const steps = operations[name]?.().steps ?? [];
  expect(items).toHaveLength(steps.length);
  for (const [index, [does]] of steps.entries())
    expect((items[index] ?? '').replaceAll(/\s+/g, ' ')).toMatch(new RegExp(`^${literally(does)}`));
});

const literally = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
