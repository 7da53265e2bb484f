/**
 * Finds the blocks of README and docs that are marked as runnable, and fills in their placeholders.
 */

import { globSync, readFileSync } from 'node:fs';

/**
 * How a block is run. By default beside the demo; `serves` runs it alone, until it listens; `long` runs it
 * beside the demo, only with `npm run lab -- examples`; `cluster` is like `long`, with the log on three
 * nodes.
 */
const WAYS = ['', 'serves', 'long', 'cluster'] as const;

export interface Block {
  readonly page: string;
  readonly line: number;
  readonly way: (typeof WAYS)[number];
  readonly language: string;
  readonly code: string;
}

/** A comment that readers do not see, right before the block: `<!-- run -->`, `<!-- run: long -->`. */
const MARKED = /^<!-- run(?:: (\w+))? -->\n```(\w*)\n([\s\S]*?)\n```/gm;

/** @throws if a mark is unknown, or comes before nothing */
export function markedBlocks(page: string, text: string): readonly Block[] {
  const blocks = [...text.matchAll(MARKED)].map(([, way = '', language = '', code = ''], index) => {
    const line = text.slice(0, [...text.matchAll(MARKED)][index]?.index).split('\n').length;
    const known = WAYS.find((one) => one === way);
    if (known === undefined || !['sh', 'ts'].includes(language))
      throw new Error(`${page}:${line} is marked to be run as "${way}", in "${language}".`);
    return { page, line, way: known, language, code };
  });
  if (blocks.length !== (text.match(/^<!-- run/gm) ?? []).length)
    throw new Error(`${page} has a mark that is before no block of code.`);
  return blocks;
}

/** Returns every marked block of README and docs. */
export const allBlocks = (): readonly Block[] =>
  ['README.md', ...globSync('docs/**/*.md').toSorted()].flatMap((page) =>
    markedBlocks(page, readFileSync(page, 'utf8')),
  );

/**
 * Replaces what a reader would fill in, `NAME=…`, with a call of `given NAME`, which knows it from the demo
 * or from the last response.
 */
export const fillIn = (code: string): string =>
  code.replaceAll(/\b([A-Z][A-Z0-9_]*)=[^\s#]*…[^\s#]*/g, '$1=$(given $1)');
