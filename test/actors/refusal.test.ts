/**
 * Tests which advice about SPF is in the SMTP reply to an email that fails SPF and DKIM: to correct
 * the record, to add the address, or to publish a record.
 */

import { expect, test } from 'vitest';
import { toRefusal } from '../../src/actors/receiver/refusal.ts';
import { remedyOf } from '../../src/domain/refusal-remedy.ts';
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

test('a record with a fault should be corrected, and the fault is named', () => {
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
  ['softfail', 'If 192.0.2.25 is yours, add ip4:192.0.2.25 to the SPF record'],
])('SPF %s: the owner of the domain is asked to add the address', (spf_result, remedy) => {
  expect(reply({ spf_result })).toContain(`${remedy}, or sign with DKIM, and send`);
});

test('a sender without a domain needs one', () => {
  expect(reply({ spf_result: 'none', spf_domain: undefined })).toContain(
    'Use a sender at a domain of yours whose SPF record lists 192.0.2.25, or sign with DKIM, and send',
  );
});

test.each<[object, string | undefined]>([
  [{ spf_result: 'none' }, 'v=spf1 ip4:192.0.2.25 ~all'],
  [{ spf_result: 'none', ip: '2001:db8::25' }, 'v=spf1 ip6:2001:db8::25 ~all'],
  [{ spf_result: 'none', spf_domain: '' }, undefined],
  [{ spf_result: 'fail' }, undefined],
  [{ spf_result: 'permerror' }, undefined],
])('a record is printed only where none is published: %j', (evidence, value) => {
  const { record } = remedyOf({
    code: 'spf_and_dkim_failed',
    detail: '',
    evidence: { ip: '192.0.2.25', spf_domain: 'example.com', ...evidence },
  });
  expect(record?.value).toBe(value);
});
