/** Tests how the URL of a git remote becomes the page of a repository. */

import { expect, test } from 'vitest';
import { toPage } from './repository.ts';

const PAGE = 'https://github.com/owner/project';

test.each([
  PAGE,
  `${PAGE}/`,
  `${PAGE}.git`,
  `git+${PAGE}.git\n`,
  'https://user:token@github.com/owner/project.git',
  'git@github.com:owner/project.git',
  'ssh://git@github.com/owner/project',
  'ssh://git@github.com:22/owner/project.git',
])('%j has a page, the same one, without credentials', (url) => {
  expect(toPage(url)).toBe(PAGE);
});

test.each([undefined, '', '/home/me/project', '../project', 'file:///project', 'owner/project'])(
  '%j has none',
  (url) => {
    expect(toPage(url)).toBeUndefined();
  },
);
