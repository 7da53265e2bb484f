/** Tests the gate, which decides whether an email is analysed or refused. */

import { TypeCompiler } from '@sinclair/typebox/compiler';
import { describe, expect, test } from 'vitest';
import type { GateFacts } from '../../src/analysis/gate.ts';
import { judgeGate } from '../../src/analysis/gate.ts';
import { unknown } from '../../src/analysis/lookup-result.ts';
import { RefusalReason } from '../../src/domain/events.ts';
import { facts, overlay, type Part, signed } from '../support/mail/facts.ts';

const { spf, dkim, dmarc } = facts();
const passing: GateFacts = {
  spf,
  dkim,
  dmarc,
  blocklists: [],
  ip: '192.0.2.25',
  headerFromDomain: 'example.com',
  resolverDown: false,
};

const isReason = TypeCompiler.Compile(RefusalReason);

const gate = (parts: readonly Part<GateFacts>[]) =>
  judgeGate(parts.reduce<GateFacts>((all, part) => overlay(all, part), passing));
const codes = (...parts: Part<GateFacts>[]) => gate(parts).map(({ code }) => code);

const spfResult = (
  result: 'none' | 'neutral' | 'fail' | 'softfail' | 'temperror' | 'permerror',
) => ({
  spf: { value: { report: { result } } },
});
const signatures = (...all: ReturnType<typeof signed>[]): Part<GateFacts> => ({
  dkim: { value: { signatures: all, total: all.length } },
});
const broken = signed({ report: { result: 'fail', reason: 'bad_signature' } });
const foreign = signed({ report: { domain: 'esp.example', aligned: false } });
const noKey = signed({ report: { result: 'permerror', reason: 'no_key' } });
const weak = signed({ report: { result: 'policy', reason: 'key_too_short' } });
const silent = signed({ report: { result: 'temperror', reason: 'dns' } });
const unread = signed({ report: { result: 'policy', reason: 'not_evaluated' } });
const cut: Part<GateFacts> = { dkim: { value: { signatures: [broken], total: 21 } } };
const spfLost = { spf: unknown('dns: TXT example.com: SERVFAIL') };
const dkimLost = { dkim: unknown('worker: no authentication part') };

describe('SPF and DKIM', () => {
  test.each([
    ['pass and pass', [], []],
    ['pass and unsigned', [signatures()], []],
    ['none and unsigned', [spfResult('none'), signatures()], ['spf_and_dkim_failed']],
    ['neutral and unsigned', [spfResult('neutral'), signatures()], ['spf_and_dkim_failed']],
    ['softfail and broken', [spfResult('softfail'), signatures(broken)], ['spf_and_dkim_failed']],
    ['permerror and no key', [spfResult('permerror'), signatures(noKey)], ['spf_and_dkim_failed']],
    ['fail and a weak key', [spfResult('fail'), signatures(weak)], ['spf_and_dkim_failed']],
    ['fail and a foreign pass', [spfResult('fail'), signatures(broken, foreign)], []],
    ['temperror and unsigned', [spfResult('temperror'), signatures()], []],
    ['fail and temperror', [spfResult('fail'), signatures(silent)], []],
    ['fail and not evaluated', [spfResult('fail'), signatures(broken, unread)], []],
    ['fail and signatures cut off', [spfResult('fail'), cut], []],
    ['unknown and unsigned', [spfLost, signatures()], []],
    ['fail and unknown', [spfResult('fail'), dkimLost], []],
  ] as [string, Part<GateFacts>[], string[]][])('%s', (_, parts, expected) => {
    expect(codes(...parts)).toEqual(expected);
  });

  test('name the results, with domains and selectors, and nothing else of the email', () => {
    const [reason] = gate([spfResult('softfail'), signatures(broken)]);
    expect(reason).toEqual({
      code: 'spf_and_dkim_failed',
      detail: 'SPF is softfail for example.com from 192.0.2.25, and no DKIM signature passes.',
      evidence: {
        ip: '192.0.2.25',
        spf_result: 'softfail',
        spf_domain: 'example.com',
        dkim: [{ domain: 'example.com', selector: 's1', result: 'fail', reason: 'bad_signature' }],
      },
    });
  });
});

test.each([
  ['example.com', 'example.com'],
  ['bounce_1.example.com', 'bounce_1.example.com'],
  ...['[203.0.113.9]', '[ipv6:2001:db8::1]', '1.2.3.4', 'localhost', 'win-abc123', 'com'].map(
    (name) => [name, undefined],
  ),
  ...['a..b', '<x>', '', 'server.local', 'mail.lan'].map((name) => [name, undefined]),
])('%s can have an SPF record, or is not suggested as its name', (domain = '', name) => {
  const [reason] = gate([{ spf: { value: { report: { result: 'none', domain } } } }, signatures()]);
  expect(reason?.evidence.spf_domain).toBe(name);
  expect(reason?.detail).toMatch(/^SPF is none for \S/);
});

test('the HELO name is called that', () => {
  const helo = { result: 'none', scope: 'helo', domain: 'win-abc123' } as const;
  const [reason] = gate([{ spf: { value: { report: helo } } }, signatures()]);
  expect(reason?.detail).toContain('SPF is none for the HELO name win-abc123 from');
});

const dmarcFails = (policy: 'none' | 'quarantine' | 'reject' = 'reject'): Part<GateFacts> => ({
  dmarc: {
    value: {
      report: { result: 'fail', effective_policy: policy },
      spfAligned: false,
      dkimAligned: false,
    },
  },
});

describe('DMARC', () => {
  test.each([
    ['fail under reject', [dmarcFails('reject')], ['dmarc_policy']],
    ['fail under quarantine', [dmarcFails('quarantine')], ['dmarc_policy']],
    ['fail under none', [dmarcFails('none')], []],
    [
      'an alignment that is not known',
      [dmarcFails(), { dmarc: { value: { decided: false } } }],
      [],
    ],
    [
      'no record',
      [dmarcFails(), { dmarc: { value: { report: { result: 'none', effective_policy: null } } } }],
      [],
    ],
    ['temperror', [dmarcFails(), { dmarc: { value: { report: { result: 'temperror' } } } }], []],
    ['unknown', [{ dmarc: unknown('dns: TXT _dmarc.example.com: SERVFAIL') }], []],
  ] as [string, Part<GateFacts>[], string[] | string[]][])('%s', (_, parts, expected) => {
    expect(gate(parts).map(({ code }) => code)).toEqual(expected);
  });
});

type Entry = GateFacts['blocklists'][number];
const entry = (status: Entry['status']): Entry => ({
  list: 'bl.example',
  status,
  codes: ['127.0.0.2'],
  removal_url: 'https://bl.example/remove',
});

test('a refusal by DMARC names the record, the tag, and what strict alignment requires', () => {
  const [reason] = gate([
    dmarcFails(),
    {
      headerFromDomain: 'news.example.com',
      dmarc: {
        value: {
          applies: 'sp',
          report: { adkim: 's', aspf: 's', policy: 'none', subdomain_policy: 'reject' },
        },
      },
    },
  ]);
  expect(reason).toMatchObject({
    detail:
      'The DMARC record of example.com says sp=reject, and neither SPF nor DKIM is aligned with news.example.com; strict alignment requires an exact match.',
    evidence: { record_domain: 'example.com', tag: 'sp=reject', strict: true },
  });
});

test('a refusal by DMARC names the tag that applies, not another with the same policy', () => {
  const [reason] = gate([
    dmarcFails(),
    {
      headerFromDomain: 'news.example.com',
      dmarc: { value: { report: { policy: 'reject', nonexistent_policy: 'reject' } } },
    },
  ]);
  expect(reason?.evidence).toMatchObject({ record_domain: 'example.com', tag: 'p=reject' });
});

describe('blocklists', () => {
  test.each([
    ['listed', ['blocklisted']],
    ['not_listed', []],
    ['unavailable', []],
  ] as const)('%s', (status, expected) => {
    expect(codes({ blocklists: [entry(status)] })).toEqual(expected);
  });

  test('name the list and its removal link', () => {
    expect(gate([{ blocklists: [entry('not_listed'), entry('listed')] }])[0]).toEqual({
      code: 'blocklisted',
      detail: 'The sending IP 192.0.2.25 is listed by bl.example.',
      evidence: {
        ip: '192.0.2.25',
        list: 'bl.example',
        removal_url: 'https://bl.example/remove',
      },
    });
  });
});

test('all applicable reasons are given, in the order of the replies', () => {
  const reasons = gate([
    { blocklists: [entry('listed')] },
    spfResult('fail'),
    signatures(broken),
    dmarcFails(),
  ]);
  expect(reasons.map(({ code }) => code)).toEqual([
    'blocklisted',
    'spf_and_dkim_failed',
    'dmarc_policy',
  ]);
  for (const reason of reasons) expect(isReason.Check(reason)).toBe(true);
});

test('evidence of any length is short enough for the event', () => {
  const long = signed({ report: { domain: 'd'.repeat(5000), result: 'fail' } });
  const reasons = gate([
    { blocklists: [{ ...entry('listed'), list: 'l'.repeat(5000) }] },
    { spf: { value: { report: { result: 'fail', domain: 's'.repeat(5000) } } } },
    signatures(...Array.from({ length: 20 }, () => long)),
    dmarcFails(),
    { headerFromDomain: 'f'.repeat(5000) },
  ]);
  expect(reasons).toHaveLength(3);
  for (const reason of reasons) expect(isReason.Check(reason)).toBe(true);
});
