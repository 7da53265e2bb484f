/** Makes the README of the package from the documentation of the command. */

import { dirname, join } from 'node:path/posix';

/** The blocks of code, which contain no links, and the links around them. */
const CODE_OR_LINK = /^```[\s\S]*?^```|\[([^\]]*)\]\(([^)\s]+)\)/gm;

/**
 * Returns a page of the documentation that can be read anywhere: its links to other files lead below `base`, the
 * project's tree on the web. If `base` is undefined, only their words remain.
 *
 * @param path of the page inside the project
 */
export const readableAnywhere = (text: string, path: string, base: string | undefined): string =>
  text.replace(CODE_OR_LINK, (whole, words?: string, target = '') => {
    if (words === undefined || target.startsWith('#') || URL.canParse(target)) return whole;
    return base === undefined ? words : `[${words}](${base}/${join(dirname(path), target)})`;
  });
