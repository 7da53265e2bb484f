/** Generates the table of folders in docs/CONTRIBUTING.md. */

import { folders } from '../../folders.ts';
import { replaceBetween } from './replace-between.ts';

/** The page that shows the folders. */
export const FOLDERS_PAGE = 'docs/CONTRIBUTING.md';

/** Returns the page with a table of every folder and its purpose. */
export function foldersFile(page: string): Readonly<Record<string, string>> {
  const rows = Object.entries(folders).map(([path, { what }]) => `| \`${path}\` | ${what} |`);
  const table = ['', '| folder | purpose |', '|---|---|', ...rows, ''].join('\n');
  return { [FOLDERS_PAGE]: replaceBetween(page, 'folders', table) };
}
