/** Tests how the setup decides whether the npm packages are installed. */

import { expect, test } from 'vitest';
import { isInstalled } from '../../src/setup/modules.mjs';

const wanted = {
  '': { version: '1.0.0' },
  'node_modules/a': { version: '1.2.3' },
  'node_modules/dev': { version: '2.0.0', dev: true },
  'node_modules/other-platform': { version: '3.0.0', optional: true },
};

const a = { version: '1.2.3' };
const dev = { version: '2.0.0' };

test('packages of other platforms may be missing', () => {
  const packages = { 'node_modules/a': a, 'node_modules/dev': dev };
  expect(isInstalled(wanted, packages, true)).toBe(true);
});

test('to run the service, development packages may be missing, but not be of another version', () => {
  expect(isInstalled(wanted, { 'node_modules/a': a }, false)).toBe(true);
  const packages = { 'node_modules/a': a, 'node_modules/dev': { version: '1.9.0' } };
  expect(isInstalled(wanted, packages, false)).toBe(false);
});

test.each([
  ['nothing', {}],
  ['a package less', { 'node_modules/a': a }],
  ['an older package', { 'node_modules/a': { version: '1.2.2' }, 'node_modules/dev': dev }],
  [
    'an older optional package',
    {
      'node_modules/a': a,
      'node_modules/dev': dev,
      'node_modules/other-platform': { version: '2.9.0' },
    },
  ],
])('%s is not up to date', (_, packages) => {
  expect(isInstalled(wanted, packages, true)).toBe(false);
});

test('an installation that was cut short is not up to date', () => {
  expect(isInstalled(wanted, {}, true)).toBe(false);
});
