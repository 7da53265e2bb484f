import { expect, test } from 'vitest';
import { withSettings } from '../../src/setup/settings.mjs';

test.each([
  ['NATS_URL=nats://one:4222', 'nats://one:4222'],
  ['A=1\n export NATS_URL = "nats://one:4222" # here\n', 'nats://one:4222'],
  ['NATS_URL=\nNATS_USER=service', undefined],
  ['# NATS_URL=nats://one:4222', undefined],
  ['', undefined],
])('of %j the address is %j', (text, url) => {
  expect(withSettings({}, text).NATS_URL).toBe(url);
});

test('the environment wins over the file', () => {
  const env = { NATS_URL: 'nats://two:4222' };
  expect(withSettings(env, 'NATS_URL=nats://one:4222').NATS_URL).toBe('nats://two:4222');
});
