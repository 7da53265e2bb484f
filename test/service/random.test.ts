import { expect, test } from 'vitest';
import { createRandom } from '../../src/service/random.ts';

test('no byte is given twice, and as many as were asked for', () => {
  const random = createRandom();
  const counts = [8, 32, 10, 0, 5000, 4096, 1];
  for (const count of counts) expect(random(count)).toHaveLength(count);
  const given = Array.from({ length: 2000 }, () => Buffer.from(random(10)).toString('hex'));
  expect(new Set(given).size).toBe(2000);
  // Bytes already given away would be zeros.
  expect(given.filter((hex) => hex.includes('00000000'))).toEqual([]);
});

test('what was given away stays as it is', () => {
  const random = createRandom();
  const first = random(16);
  const copy = [...first];
  for (let n = 0; n < 1000; n++) random(16);
  expect([...first]).toEqual(copy);
});
