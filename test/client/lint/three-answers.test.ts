/** Tests that `deliverability lint` tells known, absent and unknown records apart. */

import { describe, expect, test } from 'vitest';
import { lintWith, zone } from './lint-environment.ts';

const first = (stdout: string) => stdout.trimStart().split('\n')[0];
const flat = (stdout: string) => stdout.replace(/\s+/g, ' ');

test('if everything is there, everything is known, and judged as a resolver would have it', async () => {
  const { exitCode, stdout, report, stands } = await lintWith({
    dns: zone(),
    args: ['--min-score=95', '--fail-on=warn', '--require=dmarc_record,dkim_valid,spf_result'],
  });
  expect([exitCode, report.score]).toEqual([0, 100]);
  expect(stands('dmarc_alignment')).toBe('pass');
  // The tree walk ends above the organizational domain, where nothing is published.
  expect(report.authentication.dmarc.tree_walk).toEqual([
    { name: 'example.com', found: true },
    { name: 'com', found: false },
  ]);
  expect(stdout).toContain('Nothing to fix.');
  expect(stdout).not.toContain('To check more');
});

describe('a record that the zone file does not contain', () => {
  test.each<[string, string, Parameters<typeof zone>[0]]>([
    ['DMARC', 'dmarc_record', { dmarc: null }],
    ['SPF', 'spf_record', { spf: null }],
    ['the DKIM key', 'dkim_valid', { key: null }],
    ['MX', 'from_domain_mx', { mx: null }],
    ['reverse DNS', 'rdns_ptr', { ptr: null }],
    ['the host of the HELO name', 'helo_valid', { host: null }],
  ])('%s is unknown, and passes nothing', async (_, id, changes) => {
    const run = { dns: zone(changes) };
    const { report, stdout, stands } = await lintWith(run);
    expect([stands(id), report.score]).toEqual(['unknown', 100]);
    const { lowest_score = 100, findings = [] } = report.score_breakdown?.unknown ?? {};
    expect(lowest_score).toBeLessThan(100);
    expect(findings).toContain(id);
    expect(first(stdout)).toMatch(
      /^Not checked: \d+ of \d+ findings\. The score could be as low as \d+, depending on:/,
    );
    expect(stdout).not.toContain('Nothing to fix.\n');
    expect(flat(stdout)).toContain(
      'add --resolver (names that are not in the zone file; or --whole-zone, if the file is complete)',
    );
    expect(stdout).toMatch(new RegExp(`^ +${lowest_score} to 100 of 100  [B-F] to A  `, 'm'));

    const asked = async (...args: string[]) => (await lintWith({ ...run, args })).exitCode;
    expect(await asked()).toBe(0);
    expect(await asked(`--require=${id}`)).toBe(1);
    expect(await asked(`--min-score=${lowest_score}`)).toBe(0);
    expect(await asked(`--min-score=${lowest_score + 1}`)).toBe(1);
  });

  test('is absent if the zone is complete', async () => {
    const args = ['--whole-zone=example.com'];
    const { report, exitCode, stands } = await lintWith({ dns: zone({ dmarc: null }), args });
    expect([stands('dmarc_record'), exitCode]).toEqual(['fail', 1]);
    expect(report.score).toBeLessThan(90);
  });
});

test('a zone of two TXT records accuses a faultless email of nothing', async () => {
  const { report, stands } = await lintWith({
    dns: zone({ mx: null, key: null, host: null, ptr: null }),
  });
  expect(report.score).toBe(100);
  expect(
    report.findings.filter(({ severity }) => severity === 'fail' || severity === 'warn'),
  ).toEqual([]);
  expect(['spf_result', 'dmarc_record', 'dmarc_policy'].map(stands)).toEqual([
    'pass',
    'pass',
    'pass',
  ]);
  expect(['dkim_valid', 'from_domain_mx', 'envelope_domain_mx', 'rdns_ptr'].map(stands)).toEqual([
    'unknown',
    'unknown',
    'unknown',
    'unknown',
  ]);
});

test('two DMARC records are known, and count as none', async () => {
  const { exitCode, report, stands } = await lintWith({
    dns: zone({}, '_dmarc.example.com. 300 IN TXT "v=DMARC1; p=none"'),
    args: ['--min-score=95'],
  });
  expect([stands('dmarc_record_valid'), exitCode]).toEqual(['fail', 1]);
  expect(report.score).toBeLessThanOrEqual(74);
});

describe('an email from a subdomain', () => {
  const sub = {
    fields: { From: 'Shop <news@m.example.com>', 'Message-ID': '<b1@m.example.com>' },
    from: 'news@m.example.com',
  };
  const dns = zone(
    { dmarc: '_dmarc.example.com. TXT "v=DMARC1; p=reject; sp=none; rua=mailto:d@example.com"' },
    'm.example.com. TXT "v=spf1 ip4:192.0.2.25 -all"',
    'm.example.com. MX 10 mail.example.com.',
  );

  test('has an open policy while its own record is unknown', async () => {
    const args = ['--min-score=95', '--fail-on=warn'];
    const { exitCode, stands } = await lintWith({ ...sub, dns, args });
    expect([stands('dmarc_record'), exitCode]).toEqual(['unknown', 1]);
  });

  test('inherits sp=none if the zone is complete', async () => {
    const args = ['--whole-zone=example.com', '--fail-on=warn'];
    const { exitCode, report, stands } = await lintWith({ ...sub, dns, args });
    expect([stands('dmarc_policy'), exitCode]).toEqual(['warn', 1]);
    expect(report.authentication.dmarc.effective_policy).toBe('none');
  });

  test('has its own policy, whatever is unknown above', async () => {
    const own = '_dmarc.m.example.com. TXT "v=DMARC1; p=none"';
    const lines = [dns.replace(/^_dmarc\..*$/m, own), ''].join('\n');
    const { stands } = await lintWith({ ...sub, dns: lines });
    expect([stands('dmarc_policy'), stands('dmarc_alignment')]).toEqual(['warn', 'pass']);
  });
});

test('strict alignment that fails under p=reject is noticed', async () => {
  const { exitCode, report, stands } = await lintWith({
    dns: zone(
      { dmarc: '_dmarc.example.com. TXT "v=DMARC1; p=reject; adkim=s; aspf=s"' },
      'm.example.com. TXT "v=spf1 ip4:192.0.2.25 -all"',
      'm.example.com. MX 10 mail.example.com.',
    ),
    fields: { From: 'Shop <news@shop.example.com>' },
    from: 'news@m.example.com',
    args: ['--min-score=95', '--whole-zone=example.com'],
  });
  expect([stands('dmarc_alignment'), exitCode]).toEqual(['fail', 1]);
  expect(report.score).toBeLessThanOrEqual(45);
});

test.each([
  ['ptr', { ptr: null }],
  ['ptr', { host: null }],
  ['exists:%{p}.list.example.com', { ptr: null }],
  ['mx', { mx: null }],
  ['mx', { host: null }],
  ['a:mail.example.com', { host: null }],
  ['include:_spf.example.net', {}],
])('SPF by %s is unknown without %j, and nobody is refused for it', async (term, changes) => {
  const spf = `example.com. TXT "v=spf1 ${term} -all"`;
  const { stands, stdout } = await lintWith({ dns: zone({ ...changes, spf }) });
  expect(stands('spf_result')).toBe('unknown');
  expect(stdout).not.toContain('would refuse');
});

test('without a zone file, everything in the DNS is open', async () => {
  const { exitCode, stdout, report } = await lintWith({ dns: null, args: ['--min-score=90'] });
  expect([exitCode, report.score]).toEqual([1, 100]);
  expect(first(stdout)).toMatch(/^Not checked: \d+ of \d+ findings/);
  expect(flat(stdout)).toContain('add --resolver or --dns');
});

test('facts that no zone file contains are named, and not counted', async () => {
  const { stdout, report, stands, exitCode } = await lintWith({
    dns: zone(),
    args: ['--whole-zone=example.com', '--min-score=100'],
  });
  expect([stands('spamcop_listed'), exitCode]).toEqual(['unknown', 0]);
  expect(report.score_breakdown?.unknown).toEqual({
    lowest_score: 100,
    findings: [],
    not_counted: ['spamcop_listed', 'dnssec'],
  });
  expect(flat(stdout)).toContain('Never checked here: blocklists, DNSSEC and DANE, MTA-STS and');
  expect(first(stdout)).not.toMatch(/^Not checked:/);
});

test('a finding behind an unknown one is unknown, too', async () => {
  const { stdout } = await lintWith({
    dns: zone({ dmarc: null }),
    args: ['--require=dmarc_policy'],
  });
  expect(flat(stdout)).toContain('dmarc_policy must pass, and it depends on dmarc_record');
});

test.each([
  [[zone(), '--whole-zone', 'example.org'], 'no record of example.org'],
  [[zone(), '--whole-zone', 'not a name'], '--whole-zone must be a domain name'],
  [[null, '--whole-zone', 'example.com'], 'add --dns ZONE'],
  [[null, '--resolver', '192.0.2.53:0'], '--resolver must be HOST, HOST:PORT or system'],
  [[null, '--resolver', 'http://192.0.2.53'], '--resolver must be HOST, HOST:PORT or system'],
] as const)('%j is a mistake in the command line', async ([dns, ...args], reason) => {
  const { exitCode, stderr } = await lintWith({ dns, args });
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(reason)]);
});
