import { expect, test } from 'vitest';
import { archivesOf } from '../../src/setup/debian.mjs';

test('the main archive comes before security updates and third parties', () => {
  const targets = `
    main https://node.example/node_20.x/
    stable https://tools.example/linux/debian/
    main http://mirror.example/debian-security/
    main http://mirror.example/debian/
    main http://mirror.example/debian/`;
  expect(archivesOf(targets)).toEqual([
    'http://mirror.example/debian/',
    'https://node.example/node_20.x/',
    'http://mirror.example/debian-security/',
  ]);
});

test('without apt-get there is no archive', () => {
  expect(archivesOf('')).toEqual([]);
});
