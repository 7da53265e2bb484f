import { expect, test } from 'vitest';
import { archivesOf, familyOf } from '../../src/setup/debian.mjs';

test.each([
  ['ID=debian\nVERSION_CODENAME=bookworm\n', 'main', 'sid', 'bookworm'],
  ['ID=ubuntu\nID_LIKE=debian\nVERSION_CODENAME=noble\n', 'universe', 'devel', 'noble'],
  [
    'ID=linuxmint\nID_LIKE="ubuntu debian"\nVERSION_CODENAME=xia\nUBUNTU_CODENAME=noble\n',
    'universe',
    'devel',
    'noble',
  ],
])('%j takes %s of %s first', (text, component, newest, codename) => {
  const family = familyOf(text);
  expect(family).toMatchObject({ component, codename });
  expect(family?.suites[0]).toBe(newest);
});

test('a system of another family has no archive', () => {
  expect(familyOf('ID=alpine\n')).toBeUndefined();
});

test('the main archive comes before security updates and third parties', () => {
  const targets = `
    nodistro main https://node.example/node_20.x/
    bookworm main https://vendor.example/apt/
    bookworm stable https://tools.example/linux/debian/
    bookworm-security main http://mirror.example/debian-security/
    bookworm-updates main http://mirror.example/debian/
    bookworm main http://mirror.example/debian/`;
  const [first, ...rest] = archivesOf(targets, { id: 'debian', codename: 'bookworm' });
  expect(first).toBe('http://mirror.example/debian/');
  expect(rest).not.toContain('https://tools.example/linux/debian/');
});

test('without apt-get there is no archive', () => {
  expect(archivesOf('', { id: 'debian', codename: 'bookworm' })).toEqual([]);
});
