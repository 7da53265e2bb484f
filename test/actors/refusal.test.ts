import { expect, test } from 'vitest';
import { toRefusal } from '../../src/actors/receiver/refusal.ts';
import { toReply } from '../../src/domain/replies.ts';

const reply = (evidence: object): string =>
  toReply(
    toRefusal(
      {
        code: 'spf_and_dkim_failed',
        detail: '',
        evidence: { ip: '192.0.2.25', spf_domain: 'example.com', ...evidence },
      },
      Date.parse('2026-11-20T11:00:00.000Z'),
    ),
  ).text;

test('a record with a fault is to be corrected, and the fault is named', () => {
  const text = reply({
    spf_result: 'permerror',
    spf_fault: 'include:gone.example: no SPF records at gone.example',
  });
  expect(text).toContain('SPF is permerror (include:gone.example: no SPF records at gone.example)');
  expect(text).toContain('Correct the SPF record, or sign with DKIM, and send again');
  expect(text).not.toContain('list');
});

test.each([
  ['none', 'If 192.0.2.25 is yours, publish an SPF record that lists it'],
  ['softfail', 'If 192.0.2.25 is yours, list it in the SPF record'],
])('SPF %s: the address is added by who owns it', (spf_result, remedy) => {
  expect(reply({ spf_result })).toContain(`${remedy}, or sign with DKIM, and send`);
});
