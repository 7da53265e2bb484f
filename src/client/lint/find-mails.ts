/** Finds the email files that the arguments of a command line name: files, folders and patterns. */

import * as fs from 'node:fs';
import { join } from 'node:path';
import picomatch from 'picomatch';
import { systemCode } from '../files.ts';

/** Matches the names of files in a folder that count as emails. */
const MAIL = /\.eml$/i;

/** Folders that contain the files of other projects. They are searched only if the user names them. */
const OTHERS: ReadonlySet<string> = new Set(['node_modules', '.git']);

/** A file path, `-` for stdin, or a sentence about what is wrong with the argument. */
interface NamedMail {
  readonly path: string;
  readonly mistake?: string;
}

interface Mails {
  /** The emails in the order of the arguments, each only once. */
  readonly mails: readonly NamedMail[];
  /**
   * True if the arguments may name more than one email, because there are several arguments, or because one of
   * them is a folder or a pattern.
   */
  readonly many: boolean;
}

/** Finds the emails that the arguments of a command line name. */
export function findMails(words: readonly string[]): Mails {
  const found = words.map((word) => ({ isOne: isOne(word), mails: expand(word) }));
  const byPath = new Map(found.flatMap(({ mails }) => mails.map((mail) => [mail.path, mail])));
  return { mails: [...byPath.values()], many: found.length > 1 || found.some((one) => !one.isOne) };
}

/**
 * Returns whether a path is a folder. A path that cannot be examined counts as a file, and reading it will
 * show what is wrong.
 */
function isFolder(path: string): boolean {
  try {
    return fs.statSync(path).isDirectory();
  } catch {
    return false;
  }
}

const isOne = (word: string): boolean =>
  word === '-' || (!isFolder(word) && (fs.existsSync(word) || !picomatch.scan(word).isGlob));

function expand(word: string): readonly NamedMail[] {
  if (isOne(word)) return [{ path: word }];
  const isIn = isFolder(word);
  try {
    const paths = isIn ? filesIn(word).filter((path) => MAIL.test(path)) : matching(word);
    const mistake = isIn
      ? `${word} contains no file that ends in .eml. For other names, use a pattern such as '${join(word, '*')}'.`
      : `No file matches ${word}.`;
    return paths.length > 0 ? paths.sort().map((path) => ({ path })) : [{ path: word, mistake }];
  } catch (error) {
    return [{ path: word, mistake: `${word} cannot be read${systemCode(error)}.` }];
  }
}

/** Returns the files that match a pattern. A library expands the pattern, because Node.js 20 cannot. */
function matching(pattern: string): string[] {
  const { base, glob } = picomatch.scan(pattern);
  if (!isFolder(base || '.')) return [];
  // A pattern without `**` must not search every folder below the named one.
  const depth = glob.includes('**') ? Number.POSITIVE_INFINITY : glob.split('/').length;
  const matches = picomatch(pattern, { format: (path) => path.replace(/^\.\//, '') });
  return filesIn(base || '.', depth).filter((path) => matches(path));
}

/**
 * Returns the files in a folder. Symbolic links to folders are not followed, because they may lead back to a
 * folder above. Pipes and sockets are left out, because reading them may never end.
 *
 * @param depth 1 for the folder alone
 */
const filesIn = (folder: string, depth = Number.POSITIVE_INFINITY): string[] =>
  fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory())
      return depth > 1 && !OTHERS.has(entry.name) ? filesIn(path, depth - 1) : [];
    return entry.isFile() || (entry.isSymbolicLink() && !isFolder(path)) ? [path] : [];
  });
