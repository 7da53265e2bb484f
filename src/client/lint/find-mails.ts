import * as fs from 'node:fs';
import { join } from 'node:path';
import { systemCode } from '../files.ts';

/** What a folder is searched for. */
const MAIL = /\.eml$/i;

const GLOB = /[*?[\]{}]/;

/** A file, `-` for stdin, or what is wrong with the word that should name one. */
interface NamedMail {
  readonly path: string;
  readonly mistake?: string;
}

interface Mails {
  /** In their order, each once. */
  readonly mails: readonly NamedMail[];
  /** More than one mail may be named: by several words, a folder or a pattern. */
  readonly many: boolean;
}

/** The mails that the words of a command line name: files, folders and patterns. */
export function findMails(words: readonly string[]): Mails {
  const found = words.map((word) => ({ isOne: isOne(word), mails: expand(word) }));
  const byPath = new Map(found.flatMap(({ mails }) => mails.map((mail) => [mail.path, mail])));
  return { mails: [...byPath.values()], many: found.length > 1 || found.some((one) => !one.isOne) };
}

/** A path that cannot be looked at is no folder: reading it says why. */
function isFolder(path: string): boolean {
  try {
    return fs.statSync(path).isDirectory();
  } catch {
    return false;
  }
}

const isOne = (word: string): boolean =>
  word === '-' || (!isFolder(word) && (fs.existsSync(word) || !GLOB.test(word)));

function expand(word: string): readonly NamedMail[] {
  if (isOne(word)) return [{ path: word }];
  const isIn = isFolder(word);
  // Node.js has it since version 22.
  if (!isIn && !fs.globSync)
    return [{ path: word, mistake: 'This Node.js expands no patterns: let the shell do it.' }];
  try {
    const paths = isIn ? inFolder(word) : fs.globSync(word).filter((path) => !isFolder(path));
    const mistake = isIn ? `${word} holds no file that ends in .eml.` : `No file matches ${word}.`;
    return paths.length > 0 ? paths.sort().map((path) => ({ path })) : [{ path: word, mistake }];
  } catch (error) {
    return [{ path: word, mistake: `${word} cannot be read${systemCode(error)}.` }];
  }
}

/** Links to folders are not followed: one may lead back. */
const inFolder = (folder: string): string[] =>
  fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return inFolder(path);
    return MAIL.test(path) && !isFolder(path) ? [path] : [];
  });
