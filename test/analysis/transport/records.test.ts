/** Tests the parsing of MTA-STS and TLS-RPT records and policies. */

import { describe, expect, test } from 'vitest';
import {
  matchesPattern,
  readStsPolicy,
  readStsRecord,
  readTlsRpt,
} from '../../../src/analysis/transport/policies.ts';

describe('MTA-STS records (RFC 8461 §3.1)', () => {
  test.each<[string[], string, string?]>([
    [[], 'absent'],
    [['v=spf1 -all'], 'absent'],
    [['v=STSv1; id=20261120'], 'usable'],
    [['v=STSv1;id=a1;'], 'usable'],
    [['v=STSv1; id=a1', 'other'], 'usable'],
    [[`v=STSv1; id=${'a'.repeat(32)}`], 'usable'],
    [[`v=STSv1; id=${'a'.repeat(33)}`], 'broken', 'id= is not 1 to 32 letters and digits'],
    [['v=STSv1; id=a-b'], 'broken', 'id= is not 1 to 32 letters and digits'],
    [['v=STSv1; id='], 'broken', 'id= is not 1 to 32 letters and digits'],
    [['v=STSv1;'], 'broken', 'id= is missing'],
    [['v:STSv1; id:a1'], 'broken', 'the record does not begin with v=STSv1'],
    [['"v=STSv1; id=a1"'], 'broken', 'the record does not begin with v=STSv1'],
    [['v=STSv1; id=a', 'v=STSv1; id=b'], 'broken', '2 v=STSv1 records'],
    [['v=STSV1; id=a'], 'broken', 'the record does not begin with v=STSv1'],
  ])('%j is %s', (texts, state, fault) => {
    expect(readStsRecord(texts)).toMatchObject({ state, ...(fault && { fault }) });
  });
});

describe('MTA-STS policies (RFC 8461 §3.2)', () => {
  const right = 'version: STSv1\r\nmode: enforce\r\nmx: *.example.com\r\nmax_age: 604800\r\n';
  test('a correct one', () => {
    expect(readStsPolicy(right)).toEqual({
      policy: { version: 'STSv1', mode: 'enforce', maxAge: 604800, mx: ['*.example.com'] },
      fault: null,
    });
    expect(readStsPolicy(right.replaceAll('\r\n', '\n')).fault).toBe(null);
  });

  test.each([
    [right.replace('STSv1', 'STSv2'), 'version: is not STSv1'],
    [right.replace('enforce', 'on'), 'mode: is not enforce, testing or none'],
    [right.replace('604800', '31557600'), null],
    [right.replace('604800', '31557601'), 'max_age: is not a number of seconds up to 31557600'],
    [right.replace('604800', 'week'), 'max_age: is not a number of seconds up to 31557600'],
    [right.replace('mx: *.example.com\r\n', ''), 'the policy names no mx:'],
    [right.replace('enforce', 'none').replace('mx: *.example.com\r\n', ''), null],
    [
      right.replace('*.example.com', 'mail.*.com'),
      'an mx: line is neither a host name nor *. followed by a domain',
    ],
    ['<html>', 'version: is not STSv1'],
  ])('%#: %j', (text, fault) => {
    expect(readStsPolicy(text).fault).toBe(fault);
  });

  test.each([
    ['mail.example.com', 'mail.example.com', true],
    ['Mail.Example.com.', 'mail.example.com', true],
    ['mail.example.com', '*.example.com', true],
    ['a.mail.example.com', '*.example.com', false],
    ['example.com', '*.example.com', false],
    ['mail.example.net', '*.example.com', false],
  ])('RFC 8461 §4.1: %s under %s: %s', (host, pattern, covered) => {
    expect(matchesPattern(host, pattern)).toBe(covered);
  });
});

describe('TLS-RPT (RFC 8460 §3)', () => {
  test.each<[string[], string, string | null]>([
    [[], 'absent', null],
    [['v=spf1 -all'], 'absent', null],
    [['v=TLSRPTv1; rua=mailto:tls@example.com'], 'valid', null],
    [['v=TLSRPTv1;rua=mailto:a@example.com, https://example.com/tls'], 'valid', null],
    [['v=TLSRPTv1;'], 'broken', 'rua= is missing'],
    [['v=TLSRPTv1; rua=http://example.com/'], 'broken', 'rua= is neither mailto: nor https:'],
    [
      ['v=TLSRPTv1; rua=mailto:a@b.example; rua=mailto:c@b.example'],
      'broken',
      'rua= appears twice',
    ],
    [['v=TLSRPTv1; rua=a@example.com'], 'broken', 'rua= is neither mailto: nor https:'],
    [
      ['v=TLSRPTv1; rua=mailto:a@b.example', 'v=TLSRPTv1; rua=mailto:a@c.example'],
      'broken',
      '2 v=TLSRPTv1 records',
    ],
    [['v=TLSRPT1; rua=mailto:a@b.example'], 'broken', 'the record does not begin with v=TLSRPTv1'],
  ])('%j is %s', (texts, state, fault) => {
    expect(readTlsRpt(texts)).toMatchObject({ state, fault });
  });
});
