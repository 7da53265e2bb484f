/** Reads the emails with which fuzzing begins. */

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { hostileMails, wholeMail } from './mails.ts';

/** Larger seeds slow the fuzzing down and add nothing that repetition would not. */
const MAX_SEED_BYTES = 64 * 1024;

const IS_MAIL = /\.(?:eml|txt|msg)$/;

/** Returns emails to begin with, one character per byte: our own, and those below `corpusDir`. */
export function readSeeds(corpusDir: string | undefined): [string, ...string[]] {
  const own = Object.values(hostileMails(4096)).map((make) => make());
  const others = corpusDir ? mailsBelow(corpusDir) : [];
  const short = [...own, ...others].filter(({ length }) => length <= MAX_SEED_BYTES);
  return [wholeMail.toString('latin1'), ...short.map((mail) => mail.toString('latin1'))];
}

const mailsBelow = (dir: string): Buffer[] =>
  readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((name) => IS_MAIL.test(name))
    .sort()
    .map((name) => join(dir, name))
    .filter((path) => statSync(path).isFile() && statSync(path).size <= MAX_SEED_BYTES)
    .map((path) => readFileSync(path));
