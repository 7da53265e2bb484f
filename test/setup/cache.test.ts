/** Tests how the setup puts downloaded programs into its cache. */

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { putInPlace } from '../../src/setup/cache.mjs';

let dir: string;
let cache: string;
let target: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'cache-'));
  cache = join(dir, 'cache');
  target = join(dir, 'target');
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** Returns a function that makes a folder, whose file `name` says who made it. */
const making = (text: string) => async (workDir: string) => {
  const made = join(workDir, 'made');
  mkdirSync(made);
  writeFileSync(join(made, 'name'), text);
  return made;
};

const name = () => readFileSync(join(target, 'name'), 'utf8');

test('a folder replaces the existing one, and nothing else is left', async () => {
  for (const text of ['first', 'second']) {
    await putInPlace(target, cache, making(text));
    expect(name()).toBe(text);
  }
  expect(readdirSync(target)).toEqual(['name']);
  expect(readdirSync(cache)).toEqual([]);
});

test('many replacements at once all succeed, and one complete folder remains', async () => {
  const texts = Array.from({ length: 8 }, (_, index) => `maker ${index}`);
  await Promise.all(texts.map((text) => putInPlace(target, cache, making(text))));
  expect(texts).toContain(name());
  expect(readdirSync(cache)).toEqual([]);
});

test('if the folder could not be made, or need not be, the existing one stays', async () => {
  await putInPlace(target, cache, making('first'));
  await putInPlace(target, cache, async () => undefined);
  const failing = async () => {
    throw new Error('no network');
  };
  await expect(putInPlace(target, cache, failing)).rejects.toThrow('no network');
  expect(name()).toBe('first');
  expect(readdirSync(cache)).toEqual([]);
});

test('remains of a killed setup are removed after an hour, but not the work of another one', async () => {
  const old = join(cache, 'new-old');
  const used = join(cache, 'new-used');
  for (const one of [old, used]) mkdirSync(one, { recursive: true });
  utimesSync(old, 0, 0);
  await putInPlace(target, cache, making('first'));
  expect([old, used].map((one) => existsSync(one))).toEqual([false, true]);
});
