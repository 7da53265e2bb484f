import { expect, test } from 'vitest';
import { countWarnings } from './warnings.ts';

test('warnings are counted by message and error, until they are taken', () => {
  const warnings = countWarnings();
  const line = (fields: object) => warnings.read(JSON.stringify(fields));
  line({ level: 'info', msg: 'settled' });
  line({ level: 'warn', msg: 'chain not readable', err: { name: 'RpcError', code: 'ETIMEDOUT' } });
  line({ level: 'warn', msg: 'chain not readable', err: { name: 'RpcError', code: 'ETIMEDOUT' } });
  line({ level: 'error', msg: 'defect' });
  warnings.read('FATAL ERROR: heap out of memory');
  expect(warnings.take()).toEqual({
    'chain not readable (RpcError ETIMEDOUT)': 2,
    defect: 1,
    'FATAL ERROR: heap out of memory': 1,
  });
  expect(warnings.take()).toEqual({});
});
